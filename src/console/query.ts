import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';

type State<Value> = { readonly kind: 'loading' } | { readonly kind: 'loaded'; readonly value: Value } | { readonly kind: 'failed'; readonly message: string };

/** What a page reads from the server: while it loads, when it is there, and when it could not be had, each said in the same way. */
export class Query<Value> implements ReactiveController {
  #state: State<Value> = { kind: 'loading' };
  #latest: object = {};
  readonly #host: ReactiveControllerHost;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get value(): Value | null {
    return this.#state.kind === 'loaded' ? this.#state.value : null;
  }

  /** Loads; what was there stays until something else is. Of several at once the last one counts. */
  async run(load: () => Promise<Value>): Promise<void> {
    const run = {};
    this.#latest = run;
    const state = await load().then(
      (value): State<Value> => ({ kind: 'loaded', value }),
      (error: unknown): State<Value> => ({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
    if (this.#latest !== run) return;
    this.#state = state;
    this.#host.requestUpdate();
  }

  render(loaded: (value: Value) => TemplateResult): TemplateResult {
    switch (this.#state.kind) {
      case 'loading':
        return html`<p class="muted" aria-busy="true">Loading …</p>`;
      case 'failed':
        return html`<p class="problem" role="alert">This could not be read: ${this.#state.message}</p>`;
      case 'loaded':
        return loaded(this.#state.value);
    }
  }

  hostConnected(): void {
    // What to load is said by the page, whenever its properties change.
  }
}
