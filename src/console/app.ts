import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { UnreachableError, type Client } from '../sdk/index.ts';
import { Inbox, isUnauthenticated } from '../elements/inbox.ts';
import { basics, tokens } from '../elements/tokens.ts';
import { appStyles } from './app-styles.ts';
import { linkFollowed, routeOf, type Route } from './route.ts';
import { clientFor, keptKey, readViewer, type Viewer } from './viewer.ts';

type Access =
  | { readonly kind: 'checking' }
  | { readonly kind: 'signedOut'; readonly problem: string; readonly isChecking: boolean }
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'signedIn'; readonly client: Client; readonly viewer: Viewer; readonly inbox: Inbox };

const pages: readonly (readonly [path: string, title: string, page: Route['page']])[] = [
  ['/', 'Inbox', 'inbox'],
  ['/sessions', 'Sessions', 'sessions'],
  ['/policies', 'Policies', 'policies'],
  ['/audit', 'Audit', 'audit'],
  ['/overview', 'Overview', 'overview'],
];

/** The console: who is signed in, where they are, and what waits. */
export class App extends LitElement {
  static override readonly properties = { access: { state: true }, route: { state: true }, pendingCount: { state: true }, said: { state: true } };

  static override readonly styles = [tokens, basics, appStyles];

  declare access: Access;
  declare route: Route;
  declare pendingCount: number;
  /** What a screen reader is told. */
  declare said: string;
  readonly #stop = new AbortController();

  constructor() {
    super();
    this.access = { kind: 'checking' };
    this.route = routeOf(location.pathname);
    this.pendingCount = 0;
    this.said = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { signal } = this.#stop;
    addEventListener('popstate', () => this.#arrive(), { signal });
    this.addEventListener('click', (event) => {
      const target = linkFollowed(event);
      if (target === null) return;
      event.preventDefault();
      this.#go(target);
    }, { signal });
    this.addEventListener('navigate', (event) => this.#go((event as CustomEvent<string>).detail), { signal });
    this.addEventListener('say', (event) => (this.said = (event as CustomEvent<string>).detail), { signal });
    void this.#enter(keptKey.read());
  }

  override render(): TemplateResult {
    const { access } = this;
    switch (access.kind) {
      case 'checking':
        return html`<main class="centre muted" aria-busy="true">Connecting …</main>`;
      case 'signedOut':
        return html`<main><console-sign-in .problem=${access.problem} .isChecking=${access.isChecking} @sign-in=${(event: CustomEvent<string>) => void this.#signIn(event.detail)}></console-sign-in></main>`;
      case 'unreachable':
        return html`<main class="centre"><p role="alert">${access.message}</p><button @click=${() => void this.#enter(keptKey.read())}>Try again</button></main>`;
      case 'signedIn':
        return html`${this.#header(access)}<main id="main" tabindex="-1">${this.#page(access)}</main><div class="unseen" role="status" aria-live="polite">${this.said}</div>`;
    }
  }

  #header({ viewer }: Extract<Access, { kind: 'signedIn' }>): TemplateResult {
    return html`<header>
      <button class="skip" @click=${() => this.renderRoot.querySelector<HTMLElement>('#main')?.focus()}>To the content</button>
      <strong class="brand"><span aria-hidden="true">✓</span> Countersign</strong>
      <nav aria-label="Pages">
        ${pages.map(([path, title, page]) => html`<a href=${path} aria-current=${this.#isAt(page) ? 'page' : nothing}>${title}${page === 'inbox' && this.pendingCount > 0 ? html` <span class="count">${this.pendingCount}<span class="unseen"> waiting</span></span>` : nothing}</a>`)}
      </nav>
      <span class="viewer muted">${viewer.isLocalUser ? 'local user' : `${viewer.name} · ${viewer.roles.join(', ').toLowerCase()}`}</span>
      ${viewer.isLocalUser ? nothing : html`<button class="plain" @click=${() => this.#leave('')}>Sign out</button>`}
    </header>`;
  }

  #page({ client, viewer, inbox }: Extract<Access, { kind: 'signedIn' }>): TemplateResult {
    const { route } = this;
    switch (route.page) {
      case 'inbox':
        return html`<console-inbox .inbox=${inbox} .client=${client}></console-inbox>`;
      case 'elicitation':
        return html`<console-elicitation .elicitationId=${route.id} .client=${client} .inbox=${inbox}></console-elicitation>`;
      case 'sessions':
        return html`<console-sessions .client=${client}></console-sessions>`;
      case 'session':
        return html`<console-session .sessionId=${route.id} .client=${client}></console-session>`;
      case 'policies':
        return html`<console-policies .client=${client} .viewer=${viewer}></console-policies>`;
      case 'policy':
        return html`<console-policy .policyId=${route.id} .client=${client} .viewer=${viewer}></console-policy>`;
      case 'audit':
        return html`<console-audit .client=${client} .viewer=${viewer}></console-audit>`;
      case 'overview':
        return html`<console-overview .client=${client}></console-overview>`;
      case 'unknown':
        return html`<div class="centre"><h1>Nothing is here</h1><p><a href="/">To the inbox</a></p></div>`;
    }
  }

  #isAt(page: Route['page']): boolean {
    const parents: Partial<Record<Route['page'], Route['page']>> = { elicitation: 'inbox', session: 'sessions', policy: 'policies' };
    return page === (parents[this.route.page] ?? this.route.page);
  }

  #go(target: string): void {
    history.pushState(null, '', target);
    this.#arrive();
    scrollTo(0, 0);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('#main')?.focus());
  }

  #arrive(): void {
    this.route = routeOf(location.pathname);
    this.#entitle();
  }

  /** The number of those that wait stands first, where a narrow tab shows it. */
  #entitle(): void {
    const title = pages.find(([, , page]) => this.#isAt(page))?.[1] ?? 'Countersign';
    document.title = `${this.pendingCount > 0 ? `(${this.pendingCount}) ` : ''}${title} · Countersign`;
  }

  /** With the key that this tab keeps, or with none. */
  async #enter(key: string | null): Promise<void> {
    this.access = { kind: 'checking' };
    const error = await this.#try(key);
    if (isUnauthenticated(error)) this.#leave(key === null ? '' : 'The server does not know this key, or it is revoked.');
    else if (error !== null) this.access = { kind: 'unreachable', message: problemOf(error) };
  }

  /** With a key that was typed. Where it is not taken, it stays in its field. */
  async #signIn(key: string): Promise<void> {
    this.access = { kind: 'signedOut', problem: '', isChecking: true };
    const error = await this.#try(key);
    if (error === null) keptKey.write(key);
    else this.access = { kind: 'signedOut', problem: isUnauthenticated(error) ? 'The server does not know this key, or it is revoked.' : problemOf(error), isChecking: false };
  }

  /** Null: they are in. */
  async #try(key: string | null): Promise<unknown> {
    const client = clientFor(key);
    try {
      const viewer = await readViewer(client);
      const inbox = new Inbox({ client });
      inbox.addEventListener('change', () => this.#changed(inbox));
      this.access = { kind: 'signedIn', client, viewer, inbox };
      this.#entitle();
      return null;
    } catch (error) {
      client.close();
      return error;
    }
  }

  #changed(inbox: Inbox): void {
    this.pendingCount = inbox.pendingCount;
    this.#entitle();
    const { connection } = inbox;
    if (connection.kind === 'refused' && connection.isUnauthenticated) this.#leave('This key is not valid any more.');
  }

  #leave(problem: string): void {
    if (this.access.kind === 'signedIn') {
      this.access.inbox.close();
      this.access.client.close();
    }
    keptKey.remove();
    this.pendingCount = 0;
    this.access = { kind: 'signedOut', problem, isChecking: false };
    document.title = 'Sign in · Countersign';
  }
}

function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof UnreachableError ? `The server cannot be reached: ${message}` : `The server refused: ${message}`;
}
