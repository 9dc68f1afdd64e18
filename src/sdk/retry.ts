import { CountersignError, MalformedAnswerError, RefusedError, RequestError, UnreachableError } from './errors.ts';

export interface Patience {
  /** How long the server may be away before the last failure is thrown. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** Told of each failure that is outlived. */
  readonly onFailure?: ((error: CountersignError) => void) | undefined;
}

const firstMilliseconds = 200;
const longestMilliseconds = 10_000;

/** What makes no sense may be half an answer, cut on its way, but not again and again. */
const malformedMax = 3;

/** An attempt that lasted so long had reached the server: what ends it is a new failure. */
const reachedMilliseconds = 30_000;

/**
 * Attempts again, with pauses that grow from 0.2 to 10 s and are spread at random, while what goes wrong may pass; else throws what went
 * wrong. Patience is counted from the first failure of a row, not from the start: a call that was held for hours was no failure.
 */
export async function persist<T>(attempt: () => Promise<T>, { seconds, signal, onFailure }: Patience): Promise<T> {
  const row = new FailureRow();
  for (;;) {
    const startedAt = performance.now();
    try {
      signal.throwIfAborted();
      return await attempt();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof CountersignError) || !mayPass(error)) throw error;
      if (performance.now() - startedAt > reachedMilliseconds || isFull(error)) row.end();
      row.add(error);
      if (row.seconds() > seconds || row.malformed >= malformedMax) throw error;
      onFailure?.(error);
      await pause(pauseAfter(error, row.count), signal);
    }
  }
}

/** Failures without a success between them. */
export class FailureRow {
  count = 0;
  malformed = 0;
  #since = 0;

  add(error: CountersignError): void {
    if (this.count === 0) this.#since = performance.now();
    this.count += 1;
    this.malformed = error instanceof MalformedAnswerError ? this.malformed + 1 : 0;
  }

  end(): void {
    this.count = 0;
    this.malformed = 0;
  }

  seconds(): number {
    return this.count === 0 ? 0 : (performance.now() - this.#since) / 1000;
  }
}

/** Whether the same call may get another answer later. */
export function mayPass(error: CountersignError): boolean {
  if (error instanceof UnreachableError || error instanceof MalformedAnswerError) return true;
  if (error instanceof RefusedError) return isFull(error);
  return error instanceof RequestError && (passingCodes.has(error.code) || /^HTTP_(408|429|5\d\d)$/.test(error.code));
}

const passingCodes = new Set(['INTERNAL_SERVER_ERROR', 'RATE_LIMITED', 'GOING_AWAY', 'TOO_MANY_CALLS', 'TOO_MANY_SUBSCRIPTIONS']);

/** The server is there, and has no place for the call now. */
function isFull(error: CountersignError): boolean {
  return error instanceof RefusedError && ['TooManyPendingError', 'RateLimitedError'].includes(error.result.__typename);
}

export function pauseAfter(error: CountersignError, failures: number): number {
  const wanted = error instanceof RefusedError && error.result.__typename === 'RateLimitedError' ? error.result.retryAfterSeconds : error instanceof RequestError ? error.retryAfterSeconds : null;
  const backoff = Math.min(firstMilliseconds * 2 ** (failures - 1), longestMilliseconds) * (0.5 + Math.random() / 2);
  return typeof wanted === 'number' ? wanted * 1000 + backoff : backoff;
}

/** Rejects with the signal's reason when it is aborted meanwhile. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
}
