import { isObject } from './answer.ts';
import { CountersignError, MalformedAnswerError, UnreachableError } from './errors.ts';
import { ElicitationRequestedDocument, ElicitationResolvedDocument, SessionEventsDocument } from './generated.ts';
import type { Elicitation, SessionEvent } from './operations.ts';
import { FailureRow, mayPass, pause } from './retry.ts';
import type { Sendable, Transport } from './transport.ts';

export interface WatchOptions {
  /** Ends the iteration, as `break` does. */
  readonly signal?: AbortSignal | undefined;
  /** Told whenever the connection is lost; the watch goes on by itself. */
  readonly onInterruption?: ((error: CountersignError) => void) | undefined;
}

export interface WatchElicitationsOptions extends WatchOptions {
  /** Default: all that the caller may see. Unknown: a RequestError, `NOT_FOUND`. */
  readonly sessionId?: string | undefined;
  /** With `sessionId`: also those of its sub-agents. Default: true. */
  readonly includeDescendants?: boolean | undefined;
}

export interface WatchSessionEventsOptions extends WatchOptions {
  readonly sessionId: string;
  /** The cursor of the last event that you have. Default: from the oldest on that is kept. */
  readonly after?: string | undefined;
}

const requested: Sendable = { field: 'elicitationRequested', document: ElicitationRequestedDocument, isRepeatable: true };
const resolved: Sendable = { field: 'elicitationResolved', document: ElicitationResolvedDocument, isRepeatable: true };
const happened: Sendable = { field: 'sessionEvents', document: SessionEventsDocument, isRepeatable: true };

/** More than this wait for nobody: the ids of those that were shown long ago are forgotten. */
const shownMax = 100_000;

/** What is pending, then each new ask: none missed, none twice, whatever happens to connection and server. It goes on until it is told to end. */
export async function* watchElicitations(transport: Transport, { sessionId, includeDescendants, ...options }: WatchElicitationsOptions = {}): AsyncGenerator<Elicitation, void, undefined> {
  const shown = new Set<string>();
  for await (const elicitation of follow<Elicitation>(transport, requested, { variables: () => ({ sessionId, includeDescendants }), ...options })) {
    if (shown.has(elicitation.id)) continue;
    shown.add(elicitation.id);
    for (const oldest of shown) {
      if (shown.size <= shownMax) break;
      shown.delete(oldest);
    }
    yield elicitation;
  }
}

/** Each resolution and expiry from now on. What happens while the connection is lost is missed: where it must not be, watch the session's events. */
export function watchResolutions(transport: Transport, { sessionId, includeDescendants, ...options }: WatchElicitationsOptions = {}): AsyncGenerator<Elicitation, void, undefined> {
  return follow<Elicitation>(transport, resolved, { variables: () => ({ sessionId, includeDescendants }), ...options });
}

/** All that happens in a session, in order, from a cursor on: none missed, none twice, whatever happens to connection and server. */
export async function* watchSessionEvents(transport: Transport, { sessionId, after, ...options }: WatchSessionEventsOptions): AsyncGenerator<SessionEvent, void, undefined> {
  let cursor = after;
  for await (const event of follow<SessionEvent>(transport, happened, { variables: () => ({ sessionId, after: cursor }), ...options })) {
    cursor = event.cursor;
    yield event;
  }
}

async function* follow<Value>(
  transport: Transport,
  operation: Sendable,
  { variables, signal, onInterruption }: WatchOptions & { readonly variables: () => object },
): AsyncGenerator<Value, void, undefined> {
  const stop = new AbortController();
  const stopped = AbortSignal.any([stop.signal, transport.closed, ...(signal ? [signal] : [])]);
  const isOver = () => stopped.aborted;
  const row = new FailureRow();
  try {
    while (!isOver()) {
      const startedAt = performance.now();
      let failure: CountersignError = new UnreachableError('The server has ended the subscription.');
      try {
        for await (const value of transport.stream(operation, variables(), stopped)) {
          if (!isObject(value)) throw new MalformedAnswerError(`The subscription gave no ${operation.field}.`);
          row.end();
          yield value as Value;
        }
      } catch (error) {
        if (isOver()) return;
        if (!(error instanceof CountersignError) || !mayPass(error)) throw error;
        failure = error;
      }
      if (isOver()) return;
      row.add(failure, performance.now() - startedAt);
      onInterruption?.(failure);
      await pause(row.pauseMilliseconds, stopped).catch(() => undefined); // aborted: the loop ends
    }
  } finally {
    stop.abort();
  }
}
