import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Ask, DecideEvent } from '../elements/ask.ts';
import type { Inbox } from '../elements/inbox.ts';
import { judgedEvent } from '../elements/judged-event.ts';
import { wordsOf } from '../elements/messages.ts';
import { now } from '../elements/now.ts';
import { basics } from '../elements/tokens.ts';
import type { Elicitation } from '../sdk/index.ts';
import { Alerts } from './alerts.ts';
import type { BulkDialog } from './bulk-dialog.ts';
import { inboxKey } from './inbox-keys.ts';
import { appended, firstOf, groupsOf, inOrder, isForViewer, kept, type Filter, type Group, type Order } from './inbox-order.ts';
import { inboxStyles } from './inbox-styles.ts';

const orders: readonly (readonly [Order, string])[] = [
  ['oldest', 'Oldest first'],
  ['newest', 'Newest first'],
  ['deadline', 'Deadline first'],
  ['risk', 'Most policies first'],
];

const words = wordsOf('en');

/** All that waits, live. New cards come at the end, decided ones stay where they are: nothing moves that a person may be about to press. */
export class InboxPage extends LitElement {
  static override readonly properties = { inbox: { attribute: false }, filter: { state: true }, order: { state: true }, bySession: { state: true }, selected: { state: true }, hasAlerts: { state: true } };

  static override readonly styles = [basics, inboxStyles];

  declare inbox: Inbox;
  declare filter: Filter;
  declare order: Order;
  declare bySession: boolean;
  /** Keys of groups. */
  declare selected: ReadonlySet<string>;
  declare hasAlerts: boolean;
  #keys: readonly string[] = [];
  #groups = new Map<string, Group>();
  #active: string | null = null;
  readonly #alerts = new Alerts();
  #stop = new AbortController();

  constructor() {
    super();
    this.filter = { text: '', agentId: '' };
    this.order = 'oldest';
    this.bySession = false;
    this.selected = new Set();
    this.hasAlerts = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    addEventListener('keydown', (event) => inboxKey(event, this), { signal });
    this.inbox.addEventListener('change', () => this.requestUpdate(), { signal });
    this.inbox.addEventListener('asked', (event) => this.#asked((event as CustomEvent<Elicitation>).detail), { signal });
    this.inbox.addEventListener('decided', (event) => this.#decided((event as CustomEvent<Elicitation>).detail), { signal });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop.abort();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    const groups = groupsOf(this.inbox.entries, this.filter);
    this.#groups = new Map(groups.map((group) => [group.key, kept(this.#groups.get(group.key), group)]));
    const mayMove = changed.has('order') || changed.has('bySession') || changed.has('filter');
    this.#keys = mayMove ? inOrder(groups, this.order, this.bySession) : appended(this.#keys, groups);
    if ([...this.selected].some((key) => !this.#groups.get(key)?.isPending)) this.selected = new Set([...this.selected].filter((key) => this.#groups.get(key)?.isPending));
  }

  override render(): TemplateResult {
    const { connection } = this.inbox;
    return html`<div class="row head">
        <h1 class="grow">Inbox</h1>
        ${this.#toolbar()}
      </div>
      ${connection.kind === 'lost' ? html`<p class="banner warn" role="alert">${words.say('connectionLost', { time: words.time(connection.since.toISOString(), now()) })}</p>` : nothing}
      ${connection.kind === 'refused' ? html`<p class="banner bad" role="alert">You cannot see what waits: ${connection.message}</p>` : nothing}
      ${this.#selection()} ${this.#list()}
      <console-bulk-dialog @decide=${(event: DecideEvent) => void this.#decide(event)}></console-bulk-dialog>
      <console-keys-dialog></console-keys-dialog>`;
  }

  /** Moves the focus to the next or the previous card that waits. */
  move(by: 1 | -1): void {
    const pending = this.#keys.filter((key) => this.#groups.get(key)?.isPending || key === this.#active);
    const at = this.#active === null ? -1 : pending.indexOf(this.#active);
    const next = at < 0 ? (by > 0 ? pending[0] : pending.at(-1)) : pending[at + by];
    if (next !== undefined) this.#focus(next);
  }

  /** The card that has the focus, of which keys speak. */
  get activeAsk(): Ask | null {
    return this.renderRoot.querySelector('li:focus-within countersign-ask');
  }

  /** Gives the focus back to the card that had it. */
  focusActive(): void {
    if (this.#active !== null) this.#focus(this.#active);
  }

  toggleSelected(): void {
    const group = this.#active === null ? undefined : this.#groups.get(this.#active);
    if (this.#active === null || !this.activeAsk || !group || !isForViewer(group)) return;
    const selected = new Set(this.selected);
    if (!selected.delete(this.#active)) selected.add(this.#active);
    this.selected = selected;
  }

  openBulk(action: 'ACCEPT' | 'DECLINE'): void {
    const entries = [...this.selected].flatMap((key) => this.#groups.get(key)?.entries ?? []).filter(({ elicitation }) => elicitation.status === 'PENDING');
    if (entries.length > 0) this.renderRoot.querySelector<BulkDialog>('console-bulk-dialog')?.open(entries.map(({ elicitation }) => elicitation), action);
  }

  openHelp(): void {
    this.renderRoot.querySelector<HTMLElement & { open(): void }>('console-keys-dialog')?.open();
  }

  openDetails(): void {
    const group = this.#active === null ? undefined : this.#groups.get(this.#active);
    if (group && this.activeAsk) this.dispatchEvent(new CustomEvent('navigate', { detail: `/elicitations/${firstOf(group).id}`, bubbles: true, composed: true }));
  }

  #toolbar(): TemplateResult {
    const agents = new Map(this.inbox.entries.map(({ elicitation: { session } }) => [session.agent.id, session.agent.name]));
    const decided = this.inbox.entries.length - this.inbox.pendingCount;
    const value = (event: Event) => (event.target as HTMLInputElement).value;
    return html`<div class="row tools">
      <input type="search" aria-label="Find in the inbox" placeholder="Find" .value=${this.filter.text} @input=${(event: Event) => (this.filter = { ...this.filter, text: value(event) })} />
      <select aria-label="Agent" @change=${(event: Event) => (this.filter = { ...this.filter, agentId: value(event) })}>
        <option value="">All agents</option>
        ${[...agents].map(([id, name]) => html`<option value=${id} ?selected=${this.filter.agentId === id}>${name}</option>`)}
      </select>
      <select aria-label="Order" @change=${(event: Event) => (this.order = value(event) as Order)}>
        ${orders.map(([order, title]) => html`<option value=${order} ?selected=${this.order === order}>${title}</option>`)}
      </select>
      <label class="row"><input type="checkbox" .checked=${this.bySession} @change=${() => (this.bySession = !this.bySession)} />By session</label>
      <button aria-pressed=${this.hasAlerts} @click=${async () => (this.hasAlerts = await this.#alerts.toggle())}>${this.hasAlerts ? 'Alerts are on' : 'Alert me'}</button>
      <button @click=${() => this.openHelp()}>Keys <kbd aria-hidden="true">?</kbd></button>
      ${decided > 0 ? html`<button @click=${() => this.inbox.clear()}>${words.say('clearDecided', { count: decided })}</button>` : nothing}
    </div>`;
  }

  #selection(): TemplateResult | typeof nothing {
    if (this.selected.size === 0) return nothing;
    return html`<div class="row selection" role="group" aria-label="Selection">
      <strong class="grow">${this.selected.size} selected</strong>
      <button class="primary" @click=${() => this.openBulk('ACCEPT')}>Accept these …</button>
      <button class="danger" @click=${() => this.openBulk('DECLINE')}>Decline these …</button>
      <button class="plain" @click=${() => (this.selected = new Set())}>Select none</button>
    </div>`;
  }

  #list(): TemplateResult | typeof nothing {
    const { connection } = this.inbox;
    if (this.#keys.length === 0) {
      if (connection.kind === 'connecting') return html`<p class="empty muted" aria-busy="true">${words.say('connecting')}</p>`;
      if (connection.kind !== 'live') return nothing; // nobody knows whether nothing waits
      if (this.inbox.entries.length > 0) return html`<p class="empty muted">Nothing that you look for is among the ${this.inbox.entries.length} here.</p>`;
      return html`<div class="empty"><h2>${words.say('nothingWaits')}</h2><p class="muted">${words.say('nothingWaitsMore')}</p></div>`;
    }
    let session = '';
    return html`<ul class="cards" aria-label="What waits for a decision">
      ${repeat(this.#keys, (key) => key, (key) => {
        const group = this.#groups.get(key);
        if (!group) return nothing;
        const first = firstOf(group);
        const isNewSession = this.bySession && first.session.id !== session;
        session = first.session.id;
        return this.#card(group, isNewSession ? html`<h2 class="session"><a href=${`/sessions/${first.session.id}`}>${first.session.title ?? first.session.id}</a></h2>` : nothing);
      })}
    </ul>`;
  }

  #card(group: Group, heading: TemplateResult | typeof nothing): TemplateResult {
    const { key, entries, isPending } = group;
    const shown = entries.find(({ elicitation }) => elicitation.status === 'PENDING') ?? entries.at(-1);
    const isSelected = this.selected.has(key);
    return html`<li data-key=${key} tabindex="-1" class="panel ${isPending ? '' : 'done'} ${isSelected ? 'selected' : ''}" @focusin=${() => (this.#active = key)} @decide=${(event: DecideEvent) => void this.#decide(event, key)}>
      ${heading}
      <div class="body">
        <input type="checkbox" aria-label="Select" .checked=${isSelected} ?disabled=${!isForViewer(group)} @change=${() => this.toggleSelected()} />
        <countersign-ask class="grow" keys .entries=${entries} .words=${words}>${shown ? html`<a href=${`/elicitations/${shown.elicitation.id}`}>${words.say('details')}</a>` : nothing}</countersign-ask>
      </div>
    </li>`;
  }

  async #decide({ ids, decision }: DecideEvent, key?: string): Promise<void> {
    await this.inbox.decide(ids, decision);
    await this.updateComplete;
    const wasHere = key !== undefined && this.#active === key && this.activeAsk !== null;
    if (wasHere && !this.#groups.get(key)?.isPending) this.#focusAfter(key);
  }

  /** The next one that waits; after the last, the first. */
  #focusAfter(key: string): void {
    const at = this.#keys.indexOf(key);
    const next = [...this.#keys.slice(at), ...this.#keys.slice(0, at)].find((one) => this.#groups.get(one)?.isPending);
    if (next !== undefined) this.#focus(next);
  }

  #focus(key: string): void {
    const card = this.renderRoot.querySelector<HTMLElement>(`li[data-key="${CSS.escape(key)}"]`);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: 'nearest' });
  }

  #asked(elicitation: Elicitation): void {
    if (this.inbox.connection.kind !== 'live') return; // what waited already
    const text = words.say('newAsk', { agent: elicitation.session.agent.name, title: judgedEvent(elicitation, words).title });
    this.#say(text);
    this.#alerts.alert(text, elicitation.id);
  }

  #decided(elicitation: Elicitation): void {
    const key = elicitation.status === 'ACCEPTED' ? 'acceptedBy' : elicitation.status === 'DECLINED' ? 'declinedBy' : elicitation.status === 'EXPIRED' ? 'expired' : 'cancelledBy';
    const said = words.say(key, { name: elicitation.resolution?.by.name ?? '', time: words.time(elicitation.resolution?.at ?? elicitation.expiresAt, now()) });
    this.#say(`${judgedEvent(elicitation, words).title}: ${said}`);
  }

  #say(text: string): void {
    this.dispatchEvent(new CustomEvent('say', { detail: text, bubbles: true, composed: true }));
  }
}
