import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { failureText, outcomeText } from './ask-outcome.ts';
import { askStyles } from './ask-styles.ts';
import type { Decision } from './decide.ts';
import type { Entry } from './inbox.ts';
import { exceeds, jsonTree, jsonTreeStyles, unbounded, type TreeBounds } from './json-tree.ts';
import { judgedEvent, type JudgedEvent } from './judged-event.ts';
import { wordsOf, type Words } from './messages.ts';
import { now } from './now.ts';
import { schemaOfValues, type SchemaForm } from './schema-form.ts';
import { fileChanges, textDiff, textDiffStyles } from './text-diff.ts';
import { basics } from './tokens.ts';
import { visibleText } from './visible-text.ts';

/** What an ask fires: decide exactly these so. */
export class DecideEvent extends Event {
  readonly ids: readonly string[];
  readonly decision: Decision;

  constructor(ids: readonly string[], decision: Decision) {
    super('decide', { bubbles: true, composed: true });
    this.ids = ids;
    this.decision = decision;
  }
}

/** What a card shows without a word that there is more. */
const cardBounds: TreeBounds = { charsMax: 1200, linesMax: 24, itemsMax: 16 };

type Panel = 'none' | 'reason' | 'edit' | 'form';

/**
 * One ask, or several that are identical: what would be done, by whom, and the answer. It decides nothing itself but fires `decide`.
 * What does not fit is left out, with a mark; then it must be opened before it can be accepted.
 */
export class Ask extends LitElement {
  static override readonly properties = { entries: { attribute: false }, words: { attribute: false }, whole: { type: Boolean }, keys: { type: Boolean }, panel: { state: true }, raw: { state: true }, note: { state: true }, draft: { state: true } };

  static override readonly styles = [basics, jsonTreeStyles, textDiffStyles, askStyles];

  /** Of one digest; those that wait are decided together. */
  declare entries: readonly Entry[];
  declare words: Words;
  /** Show all, without bounds. */
  declare whole: boolean;
  /** Name the keys on the buttons. */
  declare keys: boolean;
  declare panel: Panel;
  declare raw: boolean;
  declare note: string;
  declare draft: Readonly<Record<string, unknown>> | null;
  /** As they were when the editor was opened, so that it keeps what was typed whatever comes in. */
  #editValues: Readonly<Record<string, unknown>> = {};
  #editSchema: Readonly<Record<string, unknown>> = {};

  constructor() {
    super();
    this.entries = [];
    this.words = wordsOf('en');
    this.whole = false;
    this.keys = false;
    this.panel = 'none';
    this.raw = false;
    this.note = '';
    this.draft = null;
  }

  /** Accepts, or shows what must be seen or filled in before. */
  accept(): void {
    if (!this.#canDecide) return;
    if (!this.whole && this.#isCut) {
      this.whole = true;
      this.note = this.words.say('readAll');
    } else if (this.#hasForm && this.panel !== 'form') this.#open('form');
    else if (this.panel === 'form') this.#acceptForm();
    else if (this.panel === 'edit') this.#acceptEdited();
    else this.#decide({ action: 'ACCEPT' });
  }

  /** Declines, with the reason that is written in the open panel, if any. */
  decline(): void {
    if (!this.#canDecide) return;
    const reason = this.renderRoot.querySelector<HTMLTextAreaElement>('#reason')?.value.trim();
    this.#decide({ action: 'DECLINE', ...(reason ? { comment: reason } : {}) });
  }

  openReason(): void {
    if (this.#canDecide) this.#open('reason');
  }

  /** Opens the editor of a call's arguments; of other events nothing can be edited. */
  openEdit(): void {
    if (this.#canDecide && this.canEdit) this.#open('edit');
  }

  /** Closes what was opened; false: nothing was. */
  closePanel(): boolean {
    if (this.panel === 'none') return false;
    this.panel = 'none';
    this.draft = null;
    return true;
  }

  get canEdit(): boolean {
    return this.#pending.length === 1 && this.#event?.callArguments != null && !this.#hasForm;
  }

  override render(): TemplateResult | typeof nothing {
    const entry = this.#shown;
    const event = this.#event;
    if (!entry || !event) return nothing;
    const { elicitation } = entry;
    const { say } = this.words;
    return html`<article part="ask" class=${this.#pending.length === 0 ? 'decided' : ''} aria-labelledby="title">
      <header class="row">
        <h2 id="title" class="grow">${visibleText(event.title, this.words, 120)}</h2>
        ${this.#pending.length > 1 ? html`<span class="badge accent">${say('identical', { count: this.#pending.length })}</span>` : nothing}
        ${this.#pending.length > 0 ? html`<countersign-deadline .at=${elicitation.expiresAt} .words=${this.words}></countersign-deadline>` : nothing}
      </header>
      <p class="muted who">${visibleText(elicitation.session.agent.name, this.words, 80)}${elicitation.session.title ? html` · ${visibleText(elicitation.session.title, this.words, 120)}` : nothing}</p>
      ${this.#content(event, elicitation.maskedPaths.length > 0)}
      <p class="why">${visibleText(elicitation.message, this.words, this.whole ? Infinity : 600)}</p>
      <p class="row facts muted">
        <span>${say('policies')}: ${visibleText(elicitation.policyNames.join(', ') || say('none'), this.words, 200)}</span>
        <span class="mono" title=${elicitation.digest}>${elicitation.digest.slice(0, 8)}</span>
        <span>${this.words.time(elicitation.requestedAt, now())}</span>
        <slot></slot>
      </p>
      <div class="foot">${this.#pending.length > 0 ? this.#actions(entry) : this.#outcome(entry)}</div>
    </article>`;
  }

  get #pending(): readonly Entry[] {
    return this.entries.filter(({ elicitation }) => elicitation.status === 'PENDING');
  }

  get #shown(): Entry | undefined {
    return this.#pending[0] ?? this.entries.at(-1);
  }

  get #event(): JudgedEvent | null {
    return this.#shown ? judgedEvent(this.#shown.elicitation, this.words) : null;
  }

  get #hasForm(): boolean {
    const schema = this.#shown?.elicitation.requestedSchema ?? {};
    return Object.keys((schema['properties'] ?? {})).length > 0;
  }

  get #isCut(): boolean {
    return exceeds(this.#event?.content, this.words, cardBounds);
  }

  get #canDecide(): boolean {
    return this.#pending.length > 0 && this.#pending.every(({ isSending, elicitation }) => !isSending && elicitation.viewerCanResolve);
  }

  #open(panel: Panel): void {
    this.panel = panel;
    this.#editValues = this.#event?.callArguments ?? {};
    this.#editSchema = schemaOfValues(this.#editValues);
    this.draft = null;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('#reason, countersign-schema-form')?.focus());
  }

  #decide(decision: Decision): void {
    this.note = '';
    this.dispatchEvent(new DecideEvent(this.#pending.map(({ elicitation }) => elicitation.id), decision));
  }

  #acceptForm(): void {
    const content = this.#form?.read();
    if (content) this.#decide({ action: 'ACCEPT', content });
    else this.note = this.words.say('formInvalid');
  }

  #acceptEdited(): void {
    const editedArguments = this.#form?.read();
    if (editedArguments) this.#decide({ action: 'ACCEPT', editedArguments });
    else this.note = this.words.say('formInvalid');
  }

  get #form(): SchemaForm | null {
    return this.renderRoot.querySelector<SchemaForm>('countersign-schema-form');
  }

  #content({ content, callArguments }: JudgedEvent, isMasked: boolean): TemplateResult {
    const { say } = this.words;
    const bounds = this.whole ? unbounded : cardBounds;
    const changes = this.whole && callArguments ? fileChanges(callArguments) : [];
    return html`<div class="content" part="content" tabindex="0" role="group" aria-label=${callArguments ? say('argumentsTitle') : say('contentTitle')}>
        ${this.raw ? html`<pre class="text">${visibleText(JSON.stringify(content, null, 2), this.words)}</pre>` : jsonTree(content, this.words, bounds)}
      </div>
      ${changes.map((change) => textDiff(change, this.words))}
      <p class="row">
        ${this.whole ? html`<button class="plain" @click=${() => (this.raw = !this.raw)}>${say(this.raw ? 'asTree' : 'asText')}</button>` : nothing}
        ${isMasked ? html`<span class="badge">${say('masked')}</span>` : nothing}
      </p>`;
  }

  #actions({ elicitation, isSending, failure }: Entry): TemplateResult {
    const { say } = this.words;
    if (!elicitation.viewerCanResolve) return html`<p class="note">${say('notPermitted', { reason: elicitation.viewerCannotResolveReason ?? '' })}</p>`;
    const count = this.#pending.length;
    const key = (name: string) => (this.keys ? html`<kbd aria-hidden="true">${name}</kbd>` : nothing);
    const acceptText = this.panel === 'edit' ? say('acceptEdited') : count > 1 ? say('acceptAll', { count }) : say('accept');
    return html`${this.#panelShown(elicitation.requestedSchema)}
      <div class="row">
        <button class="primary" part="accept" ?disabled=${isSending} @click=${() => this.accept()}>${acceptText} ${key('a')}</button>
        <button class="danger" part="decline" ?disabled=${isSending} @click=${() => this.decline()}>${count > 1 ? say('declineAll', { count }) : say('decline')} ${key('d')}</button>
        ${this.panel === 'none' ? html`<button class="plain" ?disabled=${isSending} @click=${() => this.openReason()}>${say('withReason')} ${key('r')}</button>` : html`<button class="plain" @click=${() => this.closePanel()}>${say('cancel')}</button>`}
        ${this.panel === 'none' && this.canEdit ? html`<button class="plain" ?disabled=${isSending} @click=${() => this.openEdit()}>${say('edit')} ${key('e')}</button>` : nothing}
        <span class="note" role="status">${isSending ? say('sending') : failure ? html`<span class="problem">${failureText(failure, this.words)}</span>` : this.note}</span>
      </div>`;
  }

  #panelShown(requestedSchema: Readonly<Record<string, unknown>>): TemplateResult | typeof nothing {
    const { say } = this.words;
    if (this.panel === 'reason') return html`<div class="field"><label for="reason">${say('reason')}</label><textarea id="reason" maxlength="4096" aria-describedby="reason-hint"></textarea><small id="reason-hint" class="muted">${say('reasonHint')}</small></div>`;
    if (this.panel === 'form') return html`<countersign-schema-form tabindex="-1" .schema=${requestedSchema} .words=${this.words}></countersign-schema-form>`;
    if (this.panel !== 'edit') return nothing;
    const args = this.#editValues;
    const edited = () => (this.draft = this.#form?.read() ?? null);
    const text = (value: unknown) => JSON.stringify(value, null, 2).replaceAll(String.raw`\n`, '\n');
    return html`<countersign-schema-form tabindex="-1" .schema=${this.#editSchema} .values=${this.#editValues} .words=${this.words} @input=${edited}></countersign-schema-form>
      ${this.draft && text(this.draft) !== text(args) ? textDiff({ title: say('argumentsTitle'), before: text(args), after: text(this.draft) }, this.words) : nothing}`;
  }

  #outcome({ elicitation }: Entry): TemplateResult {
    return html`<p class="outcome">${outcomeText(elicitation, this.words)}</p>`;
  }
}
