import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { wordsOf } from '../elements/messages.ts';
import { now } from '../elements/now.ts';
import { basics } from '../elements/tokens.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { Client, Session } from '../sdk/index.ts';
import { pageStyles } from './page-styles.ts';
import { Query } from './query.ts';

const words = wordsOf('en');
const pageSize = 50;

interface Found {
  readonly sessions: readonly Session[];
  readonly after: string | null;
}

/** All sessions, newest first, with what waits in each. */
export class SessionsPage extends LitElement {
  static override readonly properties = { client: { attribute: false }, search: { state: true }, state: { state: true } };

  static override readonly styles = [basics, pageStyles];

  declare client: Client;
  declare search: string;
  declare state: 'all' | 'open' | 'pending';
  readonly #found = new Query<Found>(this);

  constructor() {
    super();
    this.search = '';
    this.state = 'all';
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('client') || changed.has('search') || changed.has('state')) void this.#found.run(() => this.#read(null));
  }

  override render(): TemplateResult {
    return html`<h1>Sessions</h1>
      <div class="filters">
        <input type="search" aria-label="Find sessions" placeholder="Find by title or agent" .value=${this.search} @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)} />
        <select aria-label="Which sessions" @change=${(event: Event) => (this.state = (event.target as HTMLSelectElement).value as typeof this.state)}>
          <option value="all">All</option>
          <option value="open">Not ended</option>
          <option value="pending">With something that waits</option>
        </select>
      </div>
      ${this.#found.render(({ sessions, after }) =>
        sessions.length === 0
          ? html`<p class="muted">No session is like that.</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label="Sessions">
                <table>
                  <thead><tr><th scope="col">Session</th><th scope="col">Agent</th><th scope="col">Waiting</th><th scope="col">Owner</th><th scope="col">Begun</th></tr></thead>
                  <tbody>${sessions.map((session) => row(session))}</tbody>
                </table>
              </div>
              ${after === null ? nothing : html`<button @click=${() => void this.#more(sessions, after)}>More</button>`}`,
      )}`;
  }

  async #read(after: string | null): Promise<Found> {
    const filter = { ...(this.search.trim() === '' ? {} : { search: this.search.trim() }), ...(this.state === 'open' ? { open: true } : this.state === 'pending' ? { hasPending: true } : {}) };
    const { edges, pageInfo } = await this.client.sessions({ filter, first: pageSize, after });
    return { sessions: edges.map(({ node }) => node), after: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  }

  #more(shown: readonly Session[], after: string): Promise<void> {
    return this.#found.run(async () => {
      const next = await this.#read(after);
      return { ...next, sessions: [...shown, ...next.sessions] };
    });
  }
}

function row({ id, title, agent, owner, pendingElicitationCount, createdAt, endedAt }: Session): TemplateResult {
  return html`<tr>
    <td><a href=${`/sessions/${id}`}>${visibleText(title ?? id, words, 200)}</a> ${endedAt ? html`<span class="badge">ended</span>` : nothing}</td>
    <td>${visibleText(agent.name, words, 100)}</td>
    <td>${pendingElicitationCount > 0 ? html`<span class="badge accent">${pendingElicitationCount}</span>` : html`<span class="muted">0</span>`}</td>
    <td>${visibleText(owner.name, words, 80)}</td>
    <td class="when">${words.time(createdAt, now())}</td>
  </tr>`;
}
