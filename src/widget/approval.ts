import { html, nothing, type TemplateResult } from 'lit';
import { isUnauthenticated, type Entry } from '../elements/inbox.ts';
import type { Client, Elicitation } from '../sdk/index.ts';
import { Connected } from './connected.ts';

/** `<countersign-approval>`, see public.ts. */
export class Approval extends Connected {
  static override readonly properties = { ...Connected.properties, elicitation: { type: String }, found: { state: true } };

  declare elicitation: string;
  /** As it was when it was first read; it may have been decided long ago. */
  declare found: Elicitation | null;

  constructor() {
    super();
    this.elicitation = '';
    this.found = null;
  }

  override render(): TemplateResult {
    const entry = this.#entry;
    return html`${this.banner()}
    ${entry ? html`<div class="panel" part="card"><countersign-ask whole exportparts="ask, accept, decline, content" .entries=${[entry]} .words=${this.words}></countersign-ask></div>` : this.problem === null ? html`<p class="empty muted" aria-busy="true">${this.words.say('connecting')}</p>` : nothing}`;
  }

  protected override connectsAnew(changed: Map<string, unknown>): boolean {
    return super.connectsAnew(changed) || changed.has('elicitation');
  }

  protected override follow(client: Client): void {
    this.found = null;
    if (this.elicitation !== '') void this.#find(client, this.elicitation);
  }

  get #entry(): Entry | null {
    const live = this.inbox?.entry(this.elicitation);
    return live ?? (this.found ? { elicitation: this.found, isSending: false, failure: null } : null);
  }

  async #find(client: Client, id: string): Promise<void> {
    try {
      const found = await client.elicitation({ id });
      if (this.client !== client) return; // taken out, or something else is looked for
      if (!found) this.fail('NOT_FOUND', this.words.say('refused', { reason: id }));
      else {
        this.found = found;
        if (found.status === 'PENDING') this.open(client, found.session.id);
      }
    } catch (error) {
      if (this.client === client) this.fail(isUnauthenticated(error) ? 'UNAUTHENTICATED' : 'UNREACHABLE', isUnauthenticated(error) ? this.words.say('notSignedIn') : this.words.say('refused', { reason: error instanceof Error ? error.message : '' }));
    }
  }
}
