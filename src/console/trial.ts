import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { isObject } from '../elements/judged-event.ts';
import { jsonTree, jsonTreeStyles } from '../elements/json-tree.ts';
import { wordsOf } from '../elements/messages.ts';
import type { SchemaForm } from '../elements/schema-form.ts';
import { basics } from '../elements/tokens.ts';
import { visibleText } from '../elements/visible-text.ts';
import { RefusedError, type Client, type Elicitation, type EvaluationPreview, type PolicyEventInput } from '../sdk/index.ts';
import { pageStyles } from './page-styles.ts';

const words = wordsOf('en');

const kinds = ['toolCall', 'toolResult', 'request', 'response'] as const;

/** An event that a person writes: of a tool its name and arguments or result, of a message its text. */
const eventSchema = {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { type: 'string', enum: kinds, enumNames: ['Tool call', 'Tool result', 'Message to the agent', 'Answer of the agent'], title: 'Event' },
    name: { type: 'string', title: 'Tool' },
    arguments: { title: 'Arguments', description: 'A JSON object.' },
    text: { type: 'string', format: 'textarea', title: 'Text or result' },
  },
};

const example = { kind: 'toolCall', name: 'Bash', arguments: { command: 'ls -la' } };

/** Shows what a handler with these params would say to an event, step by step. Nothing is stored, nobody is asked. */
export class Trial extends LitElement {
  static override readonly properties = { client: { attribute: false }, given: { attribute: false }, sessionId: { type: String }, agentId: { type: String }, recent: { state: true }, values: { state: true }, preview: { state: true }, problem: { state: true } };

  static override readonly styles = [
    basics,
    jsonTreeStyles,
    pageStyles,
    css`
      :host {
        gap: 12px;
      }
    `,
  ];

  declare client: Client;
  /** The handler and params as they are in the form, saved or not; null: they are not whole. */
  declare given: () => { readonly handler: string; readonly params: Readonly<Record<string, unknown>> | null } | null;
  /** Where events to pick come from; both empty: from anywhere. */
  declare sessionId: string;
  declare agentId: string;
  declare recent: readonly Elicitation[];
  declare values: Readonly<Record<string, unknown>>;
  declare preview: EvaluationPreview | null;
  declare problem: string;

  constructor() {
    super();
    this.sessionId = '';
    this.agentId = '';
    this.recent = [];
    this.values = example;
    this.preview = null;
    this.problem = '';
  }

  override firstUpdated(): void {
    const filter = { ...(this.sessionId === '' ? {} : { sessionId: this.sessionId }), ...(this.agentId === '' ? {} : { agentId: this.agentId }) };
    void this.client.elicitations({ filter, first: 20 }).then(
      ({ edges }) => (this.recent = edges.map(({ node }) => node).filter(({ phase }) => phase === 'TOOL_CALL')),
      () => undefined, // without them an event is typed
    );
  }

  override render(): TemplateResult {
    return html`${this.recent.length === 0
        ? nothing
        : html`<div class="stack"><label for="recent">An event that was</label><select id="recent" @change=${this.#pick}><option value="">Choose, or write one below</option>${this.recent.map(({ id, contentPreview }) => html`<option value=${id}>${contentPreview.slice(0, 100)}</option>`)}</select></div>`}
      <countersign-schema-form .schema=${eventSchema} .values=${this.values}></countersign-schema-form>
      <div class="row"><button @click=${() => void this.#try()}>Try</button></div>
      <p class="problem" role="alert">${this.problem}</p>
      ${this.preview ? this.#shown(this.preview) : nothing}`;
  }

  #shown({ verdict, reason, steps, stateUpdates, labelWrites, data }: EvaluationPreview): TemplateResult {
    return html`<div class="stack" role="status">
      <p><span class="badge ${verdict === 'ALLOW' ? 'good' : verdict === 'DENY' ? 'bad' : 'accent'}">${verdict}</span> ${visibleText(reason ?? '', words)}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Steps">
        <table>
          <thead><tr><th scope="col">Step</th><th scope="col">Outcome</th><th scope="col">Reason</th><th scope="col">µs</th></tr></thead>
          <tbody>${steps.map(({ policy, outcome, reason: why, durationMicroseconds }) => html`<tr><td>${visibleText(policy, words)}</td><td>${outcome.toLowerCase()}</td><td>${visibleText(why ?? '', words)}</td><td>${durationMicroseconds}</td></tr>`)}</tbody>
        </table>
      </div>
      ${stateUpdates.length > 0 || Object.keys(labelWrites).length > 0 || data !== null ? jsonTree({ stateUpdates, labelWrites, data }, words) : nothing}
    </div>`;
  }

  readonly #pick = (event: Event): void => {
    const picked = this.recent.find(({ id }) => id === (event.target as HTMLSelectElement).value)?.event;
    if (!isObject(picked) || !isObject(picked['data'])) return;
    this.values = { kind: 'toolCall', name: picked['target'], arguments: picked['data']['arguments'] };
  };

  async #try(): Promise<void> {
    const values = this.renderRoot.querySelector<SchemaForm>('countersign-schema-form')?.read();
    const given = this.given();
    this.preview = null;
    this.problem = given ? '' : 'The params of the policy are not whole.';
    if (!values || !given) return;
    try {
      this.preview = await this.client.simulatePolicy({ ...given, event: eventOf(values) });
    } catch (error) {
      this.problem = error instanceof RefusedError && error.result.__typename === 'InvalidInputError' ? error.result.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ') : error instanceof Error ? error.message : String(error);
    }
  }
}

function eventOf({ kind, name, arguments: args, text }: Readonly<Record<string, unknown>>): PolicyEventInput {
  const content = typeof text === 'string' ? text : '';
  const tool = typeof name === 'string' ? name : '';
  const call = { name: tool, arguments: isObject(args) ? args : {} };
  switch (kind) {
    case 'toolResult':
      return { toolResult: { name: tool, result: content, call } };
    case 'request':
      return { request: { content } };
    case 'response':
      return { response: { content } };
    default:
      return { toolCall: call };
  }
}
