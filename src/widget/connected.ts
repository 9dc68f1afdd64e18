import { css, html, LitElement, type TemplateResult } from 'lit';
import { DecideEvent } from '../elements/ask.ts';
import { Inbox } from '../elements/inbox.ts';
import { wordsOf, type Words } from '../elements/messages.ts';
import { now } from '../elements/now.ts';
import { basics, tokens } from '../elements/tokens.ts';
import { createClient, type Client, type Token } from '../sdk/index.ts';

/** How long a call waits for a server that is away before it says so. */
const patienceSeconds = 15;

/**
 * An element that shows what a server says. It connects when it is in a page and has a `url`, and lets go when it is taken out: nothing is
 * decided or lost by that. Another `url` or `token` is another connection.
 */
export abstract class Connected extends LitElement {
  static override readonly properties: Record<string, object> = { url: { type: String }, token: { attribute: false }, theme: { type: String, reflect: true }, lang: { type: String }, problem: { state: true } };

  static override readonly styles = [
    tokens,
    basics,
    css`
      :host {
        display: grid;
        gap: 10px;
      }
      :host([theme='light']) {
        color-scheme: light;
      }
      :host([theme='dark']) {
        color-scheme: dark;
      }
      .cards {
        display: grid;
        gap: 10px;
      }
      .banner {
        padding: 8px 12px;
        border-radius: var(--radius-small);
        background: var(--warn-soft);
        color: var(--warn);
      }
      .empty {
        padding: 20px 0;
        text-align: center;
      }
    `,
  ];

  declare url: string;
  declare token: Token | undefined;
  declare theme: string;
  /** Why nothing can be shown; null: nothing is wrong. */
  declare problem: string | null;
  protected client: Client | null = null;
  protected inbox: Inbox | null = null;
  #stop = new AbortController();

  constructor() {
    super();
    this.url = '';
    this.theme = '';
    this.problem = null;
    this.addEventListener('decide', (event) => {
      event.stopPropagation(); // it is between our own elements
      if (event instanceof DecideEvent) void this.inbox?.decide(event.ids, event.decision);
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate('url', null); // taken out and put back in: connect again
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.disconnect();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (this.isConnected && this.connectsAnew(changed)) this.#connect();
  }

  protected connectsAnew(changed: Map<string, unknown>): boolean {
    return changed.has('url') || changed.has('token');
  }

  /** In the element's language, else the page's, else the reader's. */
  protected get words(): Words {
    const given = this.closest<HTMLElement>('[lang]')?.lang ?? '';
    return wordsOf(given === '' ? navigator.language : given);
  }

  /** What to follow, once there is a client. */
  protected abstract follow(client: Client): void;

  protected open(client: Client, sessionId: string | undefined): void {
    const inbox = new Inbox({ client, sessionId });
    const { signal } = this.#stop;
    inbox.addEventListener('change', () => this.#changed(inbox), { signal });
    inbox.addEventListener('decided', (event) => this.dispatchEvent(new CustomEvent('decided', { detail: (event as CustomEvent).detail as unknown, bubbles: true, composed: true })), { signal });
    this.inbox = inbox;
  }

  protected fail(code: string, message: string): void {
    this.problem = message;
    this.dispatchEvent(new CustomEvent('error', { detail: { code, message } }));
  }

  protected disconnect(): void {
    this.#stop.abort();
    this.inbox?.close();
    this.client?.close();
    this.inbox = null;
    this.client = null;
  }

  /** What stands above the asks when not all is well. */
  protected banner(): TemplateResult | null {
    const { say, time } = this.words;
    if (this.problem !== null) return html`<p class="banner" role="alert" part="problem">${this.problem}</p>`;
    const connection = this.inbox?.connection;
    return connection?.kind === 'lost' ? html`<p class="banner" role="alert" part="problem">${say('connectionLost', { time: time(connection.since.toISOString(), now()) })}</p>` : null;
  }

  #connect(): void {
    this.disconnect();
    this.#stop = new AbortController();
    this.problem = null;
    if (this.url === '') return;
    try {
      this.client = createClient({ url: new URL(this.url, location.href).href, token: this.token, patienceSeconds });
    } catch (error) {
      this.fail('URL', error instanceof Error ? error.message : String(error));
      return;
    }
    this.follow(this.client);
  }

  #changed(inbox: Inbox): void {
    const { connection } = inbox;
    if (connection.kind === 'refused' && this.problem === null) {
      this.fail(connection.isUnauthenticated ? 'UNAUTHENTICATED' : 'REFUSED', connection.isUnauthenticated ? this.words.say('notSignedIn') : this.words.say('refused', { reason: connection.message }));
    }
    this.requestUpdate();
  }
}
