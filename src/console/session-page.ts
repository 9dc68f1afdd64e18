import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { judgedEvent } from '../elements/judged-event.ts';
import { jsonTree, jsonTreeStyles } from '../elements/json-tree.ts';
import { wordsOf } from '../elements/messages.ts';
import { now } from '../elements/now.ts';
import { basics } from '../elements/tokens.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { Client, Policy, Session, SessionEvent } from '../sdk/index.ts';
import { pageStyles } from './page-styles.ts';
import { policyTable } from './policy-table.ts';
import { Query } from './query.ts';

const words = wordsOf('en');

/** More than a person reads; the oldest are let go. */
const eventsMax = 500;

interface Loaded {
  readonly session: Session;
  readonly effective: readonly Policy[];
}

/** One session: what happened in it, live, and what judges it. */
export class SessionPage extends LitElement {
  static override readonly properties = { sessionId: { type: String }, client: { attribute: false }, events: { state: true }, isLost: { state: true } };

  static override readonly styles = [basics, jsonTreeStyles, pageStyles];

  declare sessionId: string;
  declare client: Client;
  declare events: readonly SessionEvent[];
  declare isLost: boolean;
  readonly #loaded = new Query<Loaded | null>(this);
  #stop = new AbortController();

  constructor() {
    super();
    this.events = [];
    this.isLost = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop.abort();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('sessionId')) return;
    this.#stop.abort();
    this.#stop = new AbortController();
    this.events = [];
    void this.#read();
    void this.#follow(this.sessionId, this.#stop.signal).catch(() => (this.isLost = true));
  }

  override render(): TemplateResult {
    return html`<nav class="crumbs" aria-label="Where this is"><a href="/sessions">Sessions</a></nav>
      ${this.#loaded.render((loaded) => (loaded ? this.#page(loaded) : html`<h1>There is no such session</h1><p>It is not there, or not for you to see. <a href="/sessions">To the sessions</a></p>`))}`;
  }

  #page({ session, effective }: Loaded): TemplateResult {
    const { usage } = session;
    return html`<h1>${visibleText(session.title ?? session.id, words)} ${session.endedAt ? html`<span class="badge">ended</span>` : nothing}</h1>
      <div class="columns">
        <section class="stack" aria-labelledby="timeline">
          <h2 id="timeline">What happened</h2>
          ${this.isLost ? html`<p class="badge warn" role="alert">Live updates lost; they come back by themselves.</p>` : nothing}
          ${this.events.length === 0 ? html`<p class="muted">Nothing yet.</p>` : html`<div class="scroll" tabindex="0" role="region" aria-label="Table of events"><table><thead><tr><th scope="col">When</th><th scope="col">What</th></tr></thead><tbody>${this.events.map((event) => eventRow(event))}</tbody></table></div>`}
        </section>
        <div class="stack">
          <section class="panel stack" aria-labelledby="about">
            <h2 id="about">About</h2>
            <dl class="facts">
              <dt>Agent</dt><dd>${visibleText(session.agent.name, words)}</dd>
              <dt>Owner</dt><dd>${visibleText(session.owner.name, words)}</dd>
              ${session.parent ? html`<dt>Parent</dt><dd><a href=${`/sessions/${session.parent.id}`} class="mono">${session.parent.id}</a></dd>` : nothing}
              <dt>Model</dt><dd>${visibleText(session.model ?? '–', words)}</dd>
              <dt>Tokens</dt><dd>${usage.totalTokens.toLocaleString('en')}</dd>
              <dt>Cost</dt><dd>${usage.totalCostUsd === null ? '–' : `$${usage.totalCostUsd.toFixed(4)}`}</dd>
              <dt>Waiting</dt><dd>${session.pendingElicitationCount}</dd>
              <dt>Id</dt><dd class="mono">${session.id}</dd>
            </dl>
          </section>
          <section class="panel stack" aria-labelledby="labels"><h2 id="labels">Labels</h2>${jsonTree(session.labels, words)}</section>
          <section class="panel stack" aria-labelledby="state"><h2 id="state">State</h2>${jsonTree(session.state, words)}</section>
        </div>
      </div>
      <section class="stack" aria-labelledby="policies">
        <h2 id="policies">Policies that judge it, in order</h2>
        ${policyTable(effective, words)}
        <p><a href=${`/policies?session=${session.id}`}>Policies of this session</a></p>
      </section>`;
  }

  #read(): Promise<void> {
    const id = this.sessionId;
    return this.#loaded.run(async () => {
      const [session, policies] = await Promise.all([this.client.session({ id }), this.client.sessionPolicies({ id })]);
      return session && { session, effective: policies?.effectivePolicies ?? [] };
    });
  }

  async #follow(sessionId: string, signal: AbortSignal): Promise<void> {
    for await (const event of this.client.watchSessionEvents({ sessionId, signal, onInterruption: () => (this.isLost = true) })) {
      this.isLost = false;
      this.events = [event, ...this.events].slice(0, eventsMax);
      if (event.type.startsWith('POLICY') || event.type.startsWith('SESSION')) void this.#read();
    }
  }
}

function eventRow(event: SessionEvent): TemplateResult {
  return html`<tr><td class="when">${words.time(event.at, now())}</td><td>${eventText(event)}</td></tr>`;
}

function eventText({ type, evaluation, elicitation, policyName, policy, actor }: SessionEvent): TemplateResult {
  const by = actor ? html` <span class="muted">by ${visibleText(actor.name, words, 80)}</span>` : nothing;
  if (elicitation && type.startsWith('ELICITATION')) {
    const { title } = judgedEvent(elicitation, words);
    return html`<span class="badge ${tone[elicitation.status] ?? ''}">${type === 'ELICITATION_REQUESTED' ? 'asked' : type === 'ELICITATION_JOINED' ? 'asked as well' : elicitation.status.toLowerCase()}</span> <a href=${`/elicitations/${elicitation.id}`}>${visibleText(title, words, 120)}</a>${by}`;
  }
  if (evaluation) {
    const { title } = judgedEvent(evaluation, words);
    return html`<span class="badge ${tone[evaluation.verdict] ?? ''}">${evaluation.verdict}</span> ${visibleText(title, words, 120)} ${evaluation.reason ? html`<span class="muted">${visibleText(evaluation.reason, words, 300)}</span>` : nothing}`;
  }
  const name = policy?.name ?? policyName;
  return html`${type.toLowerCase().replaceAll('_', ' ')}${name ? html` “${visibleText(name, words, 120)}”` : nothing}${by}`;
}

const tone: Readonly<Record<string, string>> = { ALLOW: 'good', ACCEPTED: 'good', DENY: 'bad', DECLINED: 'bad', ASK: 'accent', PENDING: 'accent', EXPIRED: 'warn' };
