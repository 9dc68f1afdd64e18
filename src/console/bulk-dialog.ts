import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { DecideEvent } from '../elements/ask.ts';
import { judgedEvent } from '../elements/judged-event.ts';
import { wordsOf } from '../elements/messages.ts';
import { basics } from '../elements/tokens.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { Elicitation } from '../sdk/index.ts';
import { dialogStyles } from './dialog-styles.ts';

const words = wordsOf('en');

/** Asks once more before many are decided. What it decides is what it shows: nothing that comes in later. Fires `decide`. */
export class BulkDialog extends LitElement {
  static override readonly properties = { elicitations: { state: true }, action: { state: true } };

  static override readonly styles = [
    basics,
    dialogStyles,
    css`
      dialog {
        width: min(640px, calc(100vw - 32px));
      }
      form {
        display: grid;
        gap: 12px;
      }
      ul {
        display: grid;
        gap: 4px;
        max-height: 40vh;
        overflow: auto;
        padding: 8px 10px;
        border-radius: var(--radius-small);
        background: var(--sunken);
      }
      li {
        overflow-wrap: anywhere;
      }
    `,
  ];

  declare elicitations: readonly Elicitation[];
  declare action: 'ACCEPT' | 'DECLINE';

  constructor() {
    super();
    this.elicitations = [];
    this.action = 'ACCEPT';
  }

  open(elicitations: readonly Elicitation[], action: 'ACCEPT' | 'DECLINE'): void {
    this.elicitations = elicitations;
    this.action = action;
    void this.updateComplete.then(() => this.#dialog?.showModal());
  }

  override render(): TemplateResult {
    const verb = this.action === 'ACCEPT' ? 'Accept' : 'Decline';
    const count = this.elicitations.length;
    return html`<dialog aria-labelledby="title">
      <form method="dialog" @submit=${this.#submit}>
        <h1 id="title">${verb} ${count === 1 ? 'this ask' : `these ${count} asks`}?</h1>
        <ul tabindex="0" aria-label="What is decided">
          ${this.elicitations.map((elicitation) => {
            const { title, content } = judgedEvent(elicitation, words);
            return html`<li><strong class="mono">${visibleText(title, words, 80)}</strong> <span class="mono">${visibleText(JSON.stringify(content), words, 400)}</span></li>`;
          })}
        </ul>
        <label for="comment">${this.action === 'ACCEPT' ? 'Comment, for the record' : 'Reason, which the agents are told'}</label>
        <textarea id="comment" maxlength="4096"></textarea>
        <p class="muted">All of them or none. What comes in meanwhile is not among them, and there is no undo.</p>
        <div class="row">
          <button value="decide" class=${this.action === 'ACCEPT' ? 'primary' : 'danger'}>${verb} ${count > 1 ? html`all ${count}` : nothing}</button>
          <button value="cancel">Cancel</button>
        </div>
      </form>
    </dialog>`;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  #submit(event: SubmitEvent): void {
    if ((event.submitter as HTMLButtonElement | null)?.value !== 'decide') return;
    const comment = this.renderRoot.querySelector('textarea')?.value.trim();
    this.dispatchEvent(new DecideEvent(this.elicitations.map(({ id }) => id), { action: this.action, ...(comment ? { comment } : {}) }));
  }
}
