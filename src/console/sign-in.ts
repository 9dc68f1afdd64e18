import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { basics } from '../elements/tokens.ts';

/** Asks for a key. Fires `sign-in` with it. */
export class SignIn extends LitElement {
  static override readonly properties = { problem: { type: String }, isChecking: { type: Boolean } };

  static override readonly styles = [
    basics,
    css`
      :host {
        display: grid;
        min-height: 80vh;
        place-items: center;
        padding: 16px;
      }
      form {
        display: grid;
        gap: 12px;
        width: min(420px, 100%);
        padding: 28px;
      }
    `,
  ];

  /** Why the last key was not taken; empty: none was tried. */
  declare problem: string;
  declare isChecking: boolean;

  constructor() {
    super();
    this.problem = '';
    this.isChecking = false;
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has('problem') && this.problem !== '') this.renderRoot.querySelector('input')?.focus();
  }

  override render(): TemplateResult {
    return html`<form class="panel" @submit=${this.#submit}>
      <h1>Sign in to Countersign</h1>
      <p class="muted">With a key that an admin has made for you: <code>countersign keys create</code>.</p>
      <label for="key">Key</label>
      <input id="key" type="password" autocomplete="current-password" required spellcheck="false" aria-describedby="problem" aria-invalid=${this.problem === '' ? nothing : 'true'} />
      <p id="problem" class="problem" role="alert">${this.problem}</p>
      <button class="primary" ?disabled=${this.isChecking}>${this.isChecking ? 'Checking …' : 'Sign in'}</button>
      <p class="muted">The key stays in this tab, and is forgotten when you close it.</p>
    </form>`;
  }

  #submit(event: Event): void {
    event.preventDefault();
    const key = this.renderRoot.querySelector('input')?.value.trim() ?? '';
    if (key !== '') this.dispatchEvent(new CustomEvent('sign-in', { detail: key }));
  }
}
