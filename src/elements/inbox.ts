import { RequestError, type Client, type Elicitation } from '../sdk/index.ts';
import { decide, type Decided, type Decision } from './decide.ts';
import { now } from './now.ts';

/** An elicitation as the inbox holds it. */
export interface Entry {
  readonly elicitation: Elicitation;
  /** A decision of this page is on its way. */
  readonly isSending: boolean;
  /** Why the last try of this page decided nothing. */
  readonly failure: Decided | null;
}

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** What is shown was so at `since`. */
  | { readonly kind: 'lost'; readonly since: Date }
  /** It is of no use to go on: another key is needed, or other rights. */
  | { readonly kind: 'refused'; readonly isUnauthenticated: boolean; readonly message: string };

export interface InboxOptions {
  readonly client: Client;
  /** Only this session's asks and those of its sub-agents. Default: all that the key may see. */
  readonly sessionId?: string | undefined;
}

/** A lost event cannot strand an ask here for longer: what is shown is read again so often. */
const rereadMilliseconds = 30_000;
const pauseMilliseconds = 1000;

/**
 * What waits for a decision, live. Fires `change` (many at once are one), and `decided` with the elicitation whenever one is decided, here
 * or elsewhere. What was decided stays, where it was, until `clear`. It never says that nothing waits unless the server just said so.
 */
export class Inbox extends EventTarget {
  #entries = new Map<string, Entry>();
  #connection: Connection = { kind: 'connecting' };
  #announced = false;
  #isClosed = false;
  readonly #stop = new AbortController();
  readonly #client: Client;
  readonly #sessionId: string | undefined;

  constructor({ client, sessionId }: InboxOptions) {
    super();
    this.#client = client;
    this.#sessionId = sessionId;
    void this.#run();
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** In the order in which they came. */
  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  get pendingCount(): number {
    let count = 0;
    for (const { elicitation } of this.#entries.values()) if (elicitation.status === 'PENDING') count += 1;
    return count;
  }

  entry(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Decides exactly these: all, or none of those that still wait. What came of it is in the entries, and told by `decided`. */
  async decide(ids: readonly string[], decision: Decision): Promise<Decided> {
    const entries = ids.map((id) => this.#entries.get(id)).filter((entry) => entry?.elicitation.status === 'PENDING' && !entry.isSending) as Entry[];
    if (entries.length === 0) return { kind: 'decided', elicitations: [] };
    for (const { elicitation } of entries) this.#set({ elicitation, isSending: true, failure: null });
    const outcome = await decide(this.#client, entries.map(({ elicitation }) => elicitation), decision);
    for (const elicitation of outcome.elicitations) this.#put(elicitation);
    const failure = outcome.kind === 'decided' ? null : outcome;
    for (const { elicitation } of entries) {
      const entry = this.#entries.get(elicitation.id);
      if (entry) this.#set({ ...entry, isSending: false, failure: entry.elicitation.status === 'PENDING' ? failure : null });
    }
    return outcome;
  }

  /** Takes away what was decided. */
  clear(): void {
    for (const [id, { elicitation }] of this.#entries) if (elicitation.status !== 'PENDING') this.#entries.delete(id);
    this.#announce();
  }

  close(): void {
    this.#isClosed = true;
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    const stopped = this.#stop.signal;
    for (;;) {
      const attempt = new AbortController();
      const signal = AbortSignal.any([stopped, attempt.signal]);
      const ended = Promise.withResolvers<unknown>();
      const options = { ...(this.#sessionId === undefined ? {} : { sessionId: this.#sessionId }), signal, onInterruption: ended.resolve };
      this.#follow(this.#client.watchElicitations(options)).then(() => undefined, ended.resolve);
      this.#follow(this.#client.watchResolutions(options)).then(() => undefined, ended.resolve);
      void this.#keepReading(signal).catch(ended.resolve);
      stopped.addEventListener('abort', ended.resolve, { once: true });
      const reason = await ended.promise;
      attempt.abort();
      if (this.#isClosed) return;
      if (isFinal(reason)) {
        this.#connect({ kind: 'refused', isUnauthenticated: isUnauthenticated(reason), message: reason.message });
        return;
      }
      if (this.#connection.kind !== 'lost') this.#connect({ kind: 'lost', since: now() });
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
  }

  async #follow(elicitations: AsyncIterable<Elicitation>): Promise<void> {
    for await (const elicitation of elicitations) this.#put(elicitation);
  }

  /** The stored truth, now and again: it alone makes the inbox `live`. */
  async #keepReading(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#read(signal);
      if (this.#connection.kind !== 'live') this.#connect({ kind: 'live' });
      await new Promise((resolve) => setTimeout(resolve, rereadMilliseconds));
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const missing = new Set(this.entries.filter(({ elicitation }) => elicitation.status === 'PENDING').map(({ elicitation }) => elicitation.id));
    const filter = { status: 'PENDING' as const, ...(this.#sessionId === undefined ? {} : { sessionId: this.#sessionId }) };
    const pending: Elicitation[] = [];
    for (let after: string | null = null; ; ) {
      const { edges, pageInfo }: Awaited<ReturnType<Client['elicitations']>> = await this.#client.elicitations({ filter, first: 100, after }, { signal });
      pending.push(...edges.map(({ node }) => node));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    for (const elicitation of pending.toReversed()) {
      this.#put(elicitation); // the oldest first
      missing.delete(elicitation.id);
    }
    for (const id of missing) {
      const elicitation = await this.#client.elicitation({ id }, { signal });
      if (elicitation) this.#put(elicitation);
      else this.#entries.delete(id); // it may not be seen any more
    }
    this.#announce();
  }

  /** What is decided is never shown as waiting again, whichever of two messages comes first. */
  #put(elicitation: Elicitation): void {
    const known = this.#entries.get(elicitation.id);
    if (!known && elicitation.status !== 'PENDING') return;
    if (known && known.elicitation.status !== 'PENDING' && elicitation.status === 'PENDING') return;
    this.#set({ elicitation, isSending: known?.isSending ?? false, failure: known?.failure ?? null });
    if (elicitation.status !== 'PENDING' && known?.elicitation.status === 'PENDING') this.dispatchEvent(new CustomEvent('decided', { detail: elicitation }));
    if (!known) this.dispatchEvent(new CustomEvent('asked', { detail: elicitation }));
  }

  #set(entry: Entry): void {
    this.#entries.set(entry.elicitation.id, entry);
    this.#announce();
  }

  #connect(connection: Connection): void {
    this.#connection = connection;
    this.#announce();
  }

  #announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    queueMicrotask(() => {
      this.#announced = false;
      this.dispatchEvent(new Event('change'));
    });
  }
}

/** What the same request would be answered with again. */
function isFinal(reason: unknown): reason is RequestError {
  return reason instanceof RequestError && (isUnauthenticated(reason) || ['FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT'].includes(reason.code) || /^HTTP_4(?!08|29)/.test(reason.code));
}

export function isUnauthenticated(error: unknown): boolean {
  return error instanceof RequestError && ['UNAUTHENTICATED', 'HTTP_401'].includes(error.code);
}
