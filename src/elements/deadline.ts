import { css, html, LitElement, type TemplateResult } from 'lit';
import { durationText } from './duration.ts';
import { wordsOf, type Words } from './messages.ts';
import { now } from './now.ts';
import { basics } from './tokens.ts';

/** Less than this left is said in the colour of a warning. */
const soonMilliseconds = 5 * 60_000;

/** How long is left until `at`, counting by itself. */
export class Deadline extends LitElement {
  static override readonly properties = { at: { type: String }, words: { attribute: false } };

  static override readonly styles = [
    basics,
    css`
      .badge {
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  declare at: string;
  declare words: Words;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.at = '';
    this.words = wordsOf('en');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#tick();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override render(): TemplateResult {
    const left = Date.parse(this.at) - now().getTime();
    return html`<time class="badge ${left < soonMilliseconds ? 'warn' : ''}" datetime=${this.at} title=${new Date(this.at).toLocaleString()}>${this.words.say('expiresIn', { time: durationText(left) })}</time>`;
  }

  #tick(): void {
    this.requestUpdate();
    const left = Date.parse(this.at) - now().getTime();
    this.#timer = setTimeout(() => this.#tick(), left < 3_600_000 ? 1000 : 30_000);
  }
}
