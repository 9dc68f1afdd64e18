import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { jsonTree, jsonTreeStyles } from '../elements/json-tree.ts';
import { wordsOf } from '../elements/messages.ts';
import { now } from '../elements/now.ts';
import { basics } from '../elements/tokens.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { AuditAction, AuditEntry, Client } from '../sdk/index.ts';
import { pageStyles } from './page-styles.ts';
import { Query } from './query.ts';
import type { Viewer } from './viewer.ts';

const words = wordsOf('en');
const pageSize = 50;

/** What an export holds at most; `countersign audit export` has no such bound. */
const exportMax = 10_000;

/** What people look for, and the actions that it is. */
const subjects: readonly (readonly [title: string, actions: readonly AuditAction[]])[] = [
  ['Everything', []],
  ['Decisions', ['ELICITATION_RESOLVED', 'ELICITATION_EXPIRED', 'EVALUATION_ABANDONED', 'EVALUATION_SETTLED_BY_POLICY']],
  ['Asks', ['ELICITATION_REQUESTED', 'ELICITATION_JOINED']],
  ['Policies', ['POLICY_CREATED', 'POLICY_UPDATED', 'POLICY_DELETED']],
  ['Agents and sessions', ['AGENT_CREATED', 'AGENT_UPDATED', 'SESSION_UPDATED', 'SESSION_ENDED']],
  ['Keys and sign-in', ['API_KEY_CREATED', 'API_KEY_REVOKED', 'SIGN_IN_FAILED', 'LIMIT_HIT']],
];

interface Found {
  readonly entries: readonly AuditEntry[];
  readonly after: string | null;
}

interface Filter {
  readonly subject: number;
  readonly id: string;
  readonly from: string;
  readonly until: string;
}

/** Who did what, newest first. */
export class AuditPage extends LitElement {
  static override readonly properties = { client: { attribute: false }, viewer: { attribute: false }, filter: { state: true }, isExporting: { state: true } };

  static override readonly styles = [basics, jsonTreeStyles, pageStyles];

  declare client: Client;
  declare viewer: Viewer;
  declare filter: Filter;
  declare isExporting: boolean;
  readonly #found = new Query<Found>(this);

  constructor() {
    super();
    this.filter = { subject: 0, id: '', from: '', until: '' };
    this.isExporting = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (this.viewer.mayManage && (changed.has('client') || changed.has('filter'))) void this.#found.run(() => this.#read(null));
  }

  override render(): TemplateResult {
    if (!this.viewer.mayManage) return html`<h1>Audit</h1><p>The audit log is for admins. Your key is of the role ${this.viewer.roles.join(', ').toLowerCase() || 'none'}.</p>`;
    const value = (event: Event) => (event.target as HTMLInputElement).value;
    return html`<h1>Audit</h1>
      <div class="filters">
        <select aria-label="What about" @change=${(event: Event) => (this.filter = { ...this.filter, subject: Number(value(event)) })}>${subjects.map(([title], index) => html`<option value=${index}>${title}</option>`)}</select>
        <input aria-label="Id of what it was done to" placeholder="Id: elc_, pol_, ses_ …" .value=${this.filter.id} @change=${(event: Event) => (this.filter = { ...this.filter, id: value(event).trim() })} />
        <label class="row">From <input type="date" @change=${(event: Event) => (this.filter = { ...this.filter, from: value(event) })} /></label>
        <label class="row">until <input type="date" @change=${(event: Event) => (this.filter = { ...this.filter, until: value(event) })} /></label>
        <button ?disabled=${this.isExporting} @click=${() => void this.#export()}>${this.isExporting ? 'Exporting …' : 'Export'}</button>
      </div>
      ${this.#found.render(({ entries, after }) =>
        entries.length === 0
          ? html`<p class="muted">Nothing is like that.</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label="Audit log">
                <table>
                  <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">Did what</th><th scope="col">To</th><th scope="col">Details</th></tr></thead>
                  <tbody>${entries.map((entry) => row(entry))}</tbody>
                </table>
              </div>
              ${after === null ? nothing : html`<button @click=${() => void this.#more(entries, after)}>More</button>`}`,
      )}`;
  }

  async #read(after: string | null, first = pageSize): Promise<Found> {
    const { subject, id, from, until } = this.filter;
    const actions = subjects[subject]?.[1] ?? [];
    const filter = {
      ...(actions.length > 0 ? { actions } : {}),
      ...(id === '' ? {} : { subjectId: id }),
      ...(from === '' ? {} : { from: new Date(`${from}T00:00`).toISOString() }),
      ...(until === '' ? {} : { until: new Date(`${until}T24:00`).toISOString() }),
    };
    const { edges, pageInfo } = await this.client.auditLog({ filter, first, after });
    return { entries: edges.map(({ node }) => node), after: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  }

  #more(shown: readonly AuditEntry[], after: string): Promise<void> {
    return this.#found.run(async () => {
      const next = await this.#read(after);
      return { ...next, entries: [...shown, ...next.entries] };
    });
  }

  /** JSON lines of what the filters let through. */
  async #export(): Promise<void> {
    this.isExporting = true;
    try {
      const lines: string[] = [];
      for (let after: string | null = null; lines.length < exportMax; ) {
        const page: Found = await this.#read(after, 100);
        lines.push(...page.entries.map((entry) => JSON.stringify(entry)));
        if (page.after === null) break;
        after = page.after;
      }
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([lines.join('\n'), '\n'], { type: 'application/x-ndjson' }));
      link.download = 'audit.jsonl';
      link.click();
      URL.revokeObjectURL(link.href);
    } finally {
      this.isExporting = false;
    }
  }
}

function row({ at, actor, action, subject, before, after }: AuditEntry): TemplateResult {
  return html`<tr>
    <td class="when">${words.time(at, now())}</td>
    <td>${visibleText(actor.name, words, 100)}</td>
    <td>${action.toLowerCase().replaceAll('_', ' ')}</td>
    <td class="mono">${subject === null ? '–' : linked(subject)}</td>
    <td>${before === null && after === null ? nothing : html`<details><summary>Show</summary>${jsonTree({ before, after }, words)}</details>`}</td>
  </tr>`;
}

function linked(id: string): TemplateResult {
  const pages: Readonly<Record<string, string>> = { elc: 'elicitations', ses: 'sessions', pol: 'policies' };
  const page = pages[id.slice(0, 3)];
  return page === undefined ? html`${id}` : html`<a href=${`/${page}/${id}`}>${id}</a>`;
}
