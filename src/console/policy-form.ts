import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { SchemaForm } from '../elements/schema-form.ts';
import { basics } from '../elements/tokens.ts';
import { RefusedError, type Client, type CreatePolicyInput, type Policy, type PolicyHandler } from '../sdk/index.ts';
import { fieldsOf, paramsSchemaOf, policySchema, problemsIn, readFields } from './policy-fields.ts';

const none = {};

/** How long a person must have stopped typing before the params are tried. */
const quietMilliseconds = 400;

/** Creates a policy, or changes one: its params are drawn from the handler's JSON Schema, and tried while they are typed. Fires `saved`. */
export class PolicyForm extends LitElement {
  static override readonly properties = { client: { attribute: false }, handlers: { attribute: false }, policy: { attribute: false }, target: { attribute: false }, handlerName: { state: true }, issues: { state: true }, problem: { state: true }, isSaving: { state: true } };

  static override readonly styles = [
    basics,
    css`
      :host,
      form {
        display: grid;
        gap: 14px;
      }
      .columns {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr));
        gap: 20px;
      }
      h2 {
        padding-bottom: 8px;
      }
      .problem:empty {
        display: none;
      }
      .field {
        display: grid;
        gap: 4px;
      }
    `,
  ];

  declare client: Client;
  declare handlers: readonly PolicyHandler[];
  /** The one that is changed; null: a new one is made. */
  declare policy: Policy | null;
  declare target: CreatePolicyInput['target'];
  declare handlerName: string;
  declare issues: readonly { readonly path: readonly string[]; readonly message: string }[];
  declare problem: string;
  declare isSaving: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.handlers = [];
    this.policy = null;
    this.target = { server: true };
    this.handlerName = '';
    this.issues = [];
    this.problem = '';
    this.isSaving = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  /** The handler and its params as they are in the form; null: they are not whole yet. */
  readParams(): { readonly handler: string; readonly params: Readonly<Record<string, unknown>> | null } | null {
    const handler = this.#handler;
    if (!handler) return null;
    if (!handler.paramsSchema) return { handler: handler.name, params: null };
    const params = this.#form('params')?.read();
    return params ? { handler: handler.name, params } : null;
  }

  override render(): TemplateResult {
    const handler = this.#handler;
    const fields = this.policy ? fieldsOf(this.policy) : none;
    const params = this.policy?.handler.name === handler?.name ? (this.policy?.params ?? none) : none;
    return html`<form @submit=${this.#save}>
      <div class="field">
        <label for="handler">Handler</label>
        <select id="handler" @change=${(event: Event) => (this.handlerName = (event.target as HTMLSelectElement).value)}>
          ${handler ? nothing : html`<option value="">Choose one</option>`}
          ${this.handlers.map(({ name, title }) => html`<option value=${name} ?selected=${name === handler?.name}>${name} – ${title}</option>`)}
        </select>
        ${handler ? html`<p class="muted">${handler.description}</p>` : nothing}
      </div>
      <div class="columns">
        <div>
          <h2>The policy</h2>
          <countersign-schema-form id="fields" .schema=${policySchema} .values=${fields} .problems=${problemsIn(this.issues, 'fields')}></countersign-schema-form>
        </div>
        <div @input=${this.#tryLater}>
          <h2>Its params</h2>
          <countersign-schema-form id="params" .schema=${paramsSchemaOf(handler)} .values=${params} .problems=${problemsIn(this.issues, 'params')}></countersign-schema-form>
        </div>
      </div>
      <p class="problem" role="alert">${this.problem}</p>
      <div class="row"><button class="primary" ?disabled=${this.isSaving || !handler}>${this.policy ? 'Save' : 'Create'}</button></div>
    </form>`;
  }

  get #handler(): PolicyHandler | undefined {
    const name = this.handlerName === '' ? this.policy?.handler.name : this.handlerName;
    return this.handlers.find((handler) => handler.name === name);
  }

  #form(id: 'fields' | 'params'): SchemaForm | null {
    return this.renderRoot.querySelector<SchemaForm>(`#${id}`);
  }

  /** What is wrong with an expression is shown where it is, before it is saved. */
  readonly #tryLater = (): void => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#try(), quietMilliseconds);
  };

  async #try(): Promise<void> {
    const given = this.readParams();
    if (!given) return;
    try {
      await this.client.simulatePolicy({ ...given, event: { toolCall: { name: 'Bash', arguments: {} } } });
      this.issues = [];
    } catch (error) {
      this.issues = issuesOf(error);
    }
  }

  readonly #save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const values = this.#form('fields')?.read();
    const given = this.readParams();
    if (!values || !given) return;
    this.isSaving = true;
    this.problem = '';
    try {
      const input = { ...readFields(values), ...given };
      await (this.policy ? this.client.updatePolicy({ policyId: this.policy.id, ...input }) : this.client.createPolicy({ target: this.target, ...input }));
      this.issues = [];
      this.dispatchEvent(new Event('saved'));
    } catch (error) {
      this.issues = issuesOf(error);
      this.problem = [error instanceof RefusedError ? error.result.message : error instanceof Error ? error.message : '', ...this.issues.map(({ path, message }) => `${path.join('.')} ${message}`)].join(' ');
    } finally {
      this.isSaving = false;
    }
  };
}

function issuesOf(error: unknown): PolicyForm['issues'] {
  return error instanceof RefusedError && error.result.__typename === 'InvalidInputError' ? error.result.issues : [];
}
