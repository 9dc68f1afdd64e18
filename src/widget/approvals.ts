import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Entry } from '../elements/inbox.ts';
import type { Client } from '../sdk/index.ts';
import { Connected } from './connected.ts';

/** `<countersign-approvals>`, see public.ts. New asks come last and decided ones stay for the rest of the visit, so that nothing moves under a pointer. */
export class Approvals extends Connected {
  static override readonly properties = { ...Connected.properties, session: { type: String } };

  declare session: string;

  constructor() {
    super();
    this.session = '';
  }

  override render(): TemplateResult {
    const { say } = this.words;
    const { inbox } = this;
    const groups = Map.groupBy(inbox?.entries ?? [], ({ elicitation }) => elicitation.digest);
    return html`${this.banner()} ${groups.size === 0 ? this.#empty() : nothing}
      <ul class="cards" aria-label=${say('pendingCount', { count: inbox?.pendingCount ?? 0 })} ?hidden=${groups.size === 0}>
        ${repeat(groups, ([digest]) => digest, ([, entries]: [string, Entry[]]) => html`<li class="panel" part="card"><countersign-ask exportparts="ask, accept, decline, content" .entries=${entries} .words=${this.words}></countersign-ask></li>`)}
      </ul>
      <p class="unseen" role="status">${inbox?.connection.kind === 'live' ? say('pendingCount', { count: inbox.pendingCount }) : nothing}</p>`;
  }

  protected override connectsAnew(changed: Map<string, unknown>): boolean {
    return super.connectsAnew(changed) || changed.has('session');
  }

  protected override follow(client: Client): void {
    this.open(client, this.session === '' ? undefined : this.session);
  }

  /** That nothing waits is said only when the server has said so. */
  #empty(): TemplateResult | typeof nothing {
    const { say } = this.words;
    switch (this.inbox?.connection.kind) {
      case 'connecting':
        return html`<p class="empty muted" aria-busy="true">${say('connecting')}</p>`;
      case 'live':
        return html`<p class="empty muted" part="empty">${say('nothingWaits')}</p>`;
      case 'lost':
      case 'refused':
      case undefined:
        return nothing;
    }
  }
}
