import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { wordsOf } from '../elements/messages.ts';
import { basics } from '../elements/tokens.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { Client, Policy, PolicyHandler } from '../sdk/index.ts';
import { dialogStyles } from './dialog-styles.ts';
import { pageStyles } from './page-styles.ts';
import type { PolicyForm } from './policy-form.ts';
import { Query } from './query.ts';
import type { Viewer } from './viewer.ts';

const words = wordsOf('en');

interface Loaded {
  readonly policy: Policy;
  readonly handlers: readonly PolicyHandler[];
}

/** One policy: to change, to turn off, to delete, and to try. */
export class PolicyPage extends LitElement {
  static override readonly properties = { policyId: { type: String }, client: { attribute: false }, viewer: { attribute: false }, note: { state: true } };

  static override readonly styles = [basics, pageStyles, dialogStyles];

  declare policyId: string;
  declare client: Client;
  declare viewer: Viewer;
  declare note: string;
  readonly #loaded = new Query<Loaded | null>(this);

  constructor() {
    super();
    this.note = '';
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('policyId')) this.#read();
  }

  override render(): TemplateResult {
    return html`<nav class="crumbs" aria-label="Where this is"><a href="/policies">Policies</a></nav>
      ${this.#loaded.render((loaded) => (loaded ? this.#page(loaded) : html`<h1>There is no such policy</h1><p>It is not there, or not for you to see. <a href="/policies">To the policies</a></p>`))}`;
  }

  #page({ policy, handlers }: Loaded): TemplateResult {
    const mayChange = this.viewer.mayManage && !policy.readOnly;
    return html`<h1>${visibleText(policy.name, words)} ${policy.enabled ? nothing : html`<span class="badge">disabled</span>`}</h1>
      ${mayChange ? nothing : html`<p class="muted">${policy.readOnly ? 'It comes from the configuration of the server, and is changed there.' : 'You may look. Only admins change policies.'}</p>`}
      <div class="row">
        <button ?disabled=${!mayChange} @click=${() => void this.#act('Saved.', () => this.client.updatePolicy({ policyId: policy.id, enabled: !policy.enabled }))}>${policy.enabled ? 'Disable' : 'Enable'}</button>
        <button class="danger" ?disabled=${!mayChange} @click=${() => this.#dialog?.showModal()}>Delete …</button>
        <span role="status">${this.note}</span>
      </div>
      <dialog aria-labelledby="delete-title" @close=${(event: Event) => this.#deleted(event, policy)}>
        <form method="dialog" class="stack">
          <h2 id="delete-title">Delete this policy?</h2>
          <p>From now on it judges nothing. What it has decided stays on the record.</p>
          <div class="row"><button class="danger" value="delete">Delete</button><button value="cancel">Cancel</button></div>
        </form>
      </dialog>
      <section class="panel" aria-label="The policy"><console-policy-form .client=${this.client} .handlers=${handlers} .policy=${policy} @saved=${() => void this.#act('Saved.', async () => undefined)}></console-policy-form></section>
      <section class="panel stack" aria-labelledby="try"><h2 id="try">Try it</h2><console-trial .client=${this.client} .sessionId=${policy.session?.id ?? ''} .agentId=${policy.agent?.id ?? ''} .given=${() => this.renderRoot.querySelector<PolicyForm>('console-policy-form')?.readParams() ?? null}></console-trial></section>`;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  #read(): void {
    void this.#loaded.run(async () => {
      const [policy, handlers] = await Promise.all([this.client.policy({ id: this.policyId }), this.client.policyRegistry()]);
      return policy && { policy, handlers };
    });
  }

  async #act(done: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      this.note = done;
      this.#read();
    } catch (error) {
      this.note = error instanceof Error ? error.message : String(error);
    }
  }

  #deleted(event: Event, { id }: Policy): void {
    if ((event.target as HTMLDialogElement).returnValue !== 'delete') return;
    void this.#act('Deleted.', async () => {
      await this.client.deletePolicy({ policyId: id });
      this.dispatchEvent(new CustomEvent('navigate', { detail: '/policies', bubbles: true, composed: true }));
    });
  }
}
