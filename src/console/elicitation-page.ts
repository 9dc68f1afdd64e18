import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { DecideEvent } from '../elements/ask.ts';
import type { Entry, Inbox } from '../elements/inbox.ts';
import { jsonTreeStyles } from '../elements/json-tree.ts';
import { wordsOf } from '../elements/messages.ts';
import { now } from '../elements/now.ts';
import { basics } from '../elements/tokens.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { Client, Elicitation, Evaluation, Session } from '../sdk/index.ts';
import { pageStyles } from './page-styles.ts';
import { Query } from './query.ts';
import { shellPanel, shellPanelStyles, type ShellReadings } from './shell-panel.ts';

const words = wordsOf('en');

interface Around {
  readonly elicitation: Elicitation;
  /** From the root down to the one that asks. */
  readonly lineage: readonly Session[];
  readonly evaluations: readonly Evaluation[];
  readonly shell: ShellReadings;
}

/** A tree of sessions is no deeper, unless it is broken. */
const depthMax = 50;

/** Everything about one ask, and its answer. */
export class ElicitationPage extends LitElement {
  static override readonly properties = { elicitationId: { type: String }, client: { attribute: false }, inbox: { attribute: false } };

  static override readonly styles = [basics, jsonTreeStyles, pageStyles, shellPanelStyles];

  declare elicitationId: string;
  declare client: Client;
  declare inbox: Inbox;
  readonly #around = new Query<Around | null>(this);
  #stop = new AbortController();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop.abort();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('inbox')) {
      this.#stop.abort();
      this.#stop = new AbortController();
      this.inbox.addEventListener('change', () => this.requestUpdate(), { signal: this.#stop.signal });
    }
    if (changed.has('elicitationId')) void this.#around.run(() => readAround(this.client, this.elicitationId));
  }

  override render(): TemplateResult {
    const { connection } = this.inbox;
    return html`<nav class="crumbs" aria-label="Where this is"><a href="/">Inbox</a></nav>
      ${connection.kind === 'lost' ? html`<p class="badge warn" role="alert">${words.say('connectionLost', { time: words.time(connection.since.toISOString(), now()) })}</p>` : nothing}
      ${this.#around.render((around) => (around ? this.#loaded(around) : html`<h1>There is no such ask</h1><p>It is not there, or not for you to see. <a href="/">To the inbox</a></p>`))}`;
  }

  #loaded({ elicitation, lineage, evaluations, shell }: Around): TemplateResult {
    const entry: Entry = this.inbox.entry(elicitation.id) ?? { elicitation, isSending: false, failure: null };
    return html`<h1>An agent asks</h1>
      <div class="columns">
        <div class="stack">
          <section class="panel" aria-label="The ask">
            <countersign-ask whole .entries=${[entry]} .words=${words} @decide=${(event: DecideEvent) => void this.inbox.decide(event.ids, event.decision)}></countersign-ask>
          </section>
          ${shell.length > 0 ? shellPanel(shell, words) : nothing}
        </div>
        <div class="stack">
          <section class="panel stack" aria-labelledby="who">
            <h2 id="who">Who asks</h2>
            <ol>
              ${lineage.map((session, depth) => html`<li>${depth > 0 ? '↳ ' : ''}<a href=${`/sessions/${session.id}`}>${visibleText(session.title ?? session.id, words, 120)}</a> <span class="muted">${visibleText(session.agent.name, words, 80)}, for ${visibleText(session.owner.name, words, 80)}</span></li>`)}
            </ol>
          </section>
          <section class="panel stack" aria-labelledby="why">
            <h2 id="why">Why it is asked</h2>
            ${evaluations.map(({ reason, decidingPolicies, createdAt }) => html`<p>${visibleText(reason ?? elicitation.message, words)}</p><p class="muted">${visibleText(decidingPolicies.join(', '), words)} · ${words.time(createdAt, now())}</p>`)}
          </section>
          <section class="panel stack" aria-labelledby="facts">
            <h2 id="facts">On the record</h2>
            <dl class="facts">
              <dt>Status</dt><dd>${entry.elicitation.status.toLowerCase()}</dd>
              <dt>Phase</dt><dd>${elicitation.phase}</dd>
              <dt>Asked</dt><dd>${words.time(elicitation.requestedAt, now())}</dd>
              <dt>Deadline</dt><dd>${words.time(elicitation.expiresAt, now())}</dd>
              <dt>Id</dt><dd class="mono">${elicitation.id}</dd>
              <dt>Digest</dt><dd class="mono">${elicitation.digest}</dd>
              ${elicitation.maskedPaths.length > 0 ? html`<dt>Masked</dt><dd class="mono">${visibleText(elicitation.maskedPaths.join(', '), words)}</dd>` : nothing}
            </dl>
          </section>
        </div>
      </div>`;
  }
}

async function readAround(client: Client, id: string): Promise<Around | null> {
  const elicitation = await client.elicitation({ id });
  if (!elicitation) return null;
  const [lineage, evaluations, shell] = await Promise.all([
    readLineage(client, elicitation.session.id),
    Promise.all(elicitation.evaluations.map((evaluation) => client.evaluation({ id: evaluation.id }))),
    readShell(elicitation),
  ]);
  return { elicitation, lineage, evaluations: evaluations.filter((evaluation) => evaluation !== null), shell };
}

async function readLineage(client: Client, id: string): Promise<Session[]> {
  const lineage: Session[] = [];
  for (let next: string | undefined = id; next !== undefined && lineage.length < depthMax; ) {
    const session: Session | null = await client.session({ id: next });
    if (!session) break; // not for this key to see
    lineage.unshift(session);
    next = session.parent?.id;
  }
  return lineage;
}

/** Read where it is shown: the server has judged by the same reading. Loaded for calls only. */
async function readShell({ phase, event }: Elicitation): Promise<ShellReadings> {
  if (phase !== 'TOOL_CALL') return [];
  const { readShellCall } = await import('../policy/shell/shell-call.ts');
  return readShellCall(event as Parameters<typeof readShellCall>[0]);
}
