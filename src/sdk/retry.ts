import { CountersignError, MalformedAnswerError, RefusedError, RequestError, UnreachableError } from './errors.ts';

export interface Patience {
  /** How long the server may be away before the last failure is thrown. */
  readonly seconds: number;
  /** Whether the server answers anything at all. Asked before it is given up: what cuts each held call may let a short one through. */
  readonly isThere: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

const firstMilliseconds = 200;
const longestMilliseconds = 10_000;

/** What makes no sense may be half an answer, cut on its way, but not again and again. */
const malformedMax = 3;

/** A fault of the server may pass, as when its database starts anew, or lie in the call itself. */
const faultsMax = 8;

/** An attempt that lasted so long had reached the server: what ends it is a new failure. */
const reachedMilliseconds = 30_000;

/** Attempts that last so long hammer at nobody: the next one need not wait. */
const unhurriedMilliseconds = 1000;

/**
 * Attempts again, with pauses that grow from 0.2 to 10 s and are spread at random, while what goes wrong may pass; else throws what went
 * wrong. Patience is counted from the first failure of a row, not from the start: a call that was held for hours was no failure.
 */
export async function persist<T>(attempt: () => Promise<T>, { seconds, isThere, signal }: Patience): Promise<T> {
  const row = new FailureRow();
  for (;;) {
    const startedAt = performance.now();
    try {
      signal.throwIfAborted();
      return await attempt();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof CountersignError) || !mayPass(error)) throw error;
      row.add(error, performance.now() - startedAt);
      if (row.makesNoSense) throw error;
      if (row.seconds > seconds) {
        if (!(await isThere())) throw error;
        row.forgive();
      }
      await pause(row.pauseMilliseconds, signal);
    }
  }
}

/** Failures without a success between them. */
export class FailureRow {
  #since = 0;
  #hasBegun = false;
  #quick = 0;
  #malformed = 0;
  #faults = 0;
  #wantedMilliseconds = 0;

  add(error: CountersignError, lastedMilliseconds: number): void {
    if (!this.#hasBegun || lastedMilliseconds > reachedMilliseconds || isFull(error)) this.#since = performance.now();
    this.#hasBegun = true;
    this.#quick = lastedMilliseconds > unhurriedMilliseconds ? 1 : this.#quick + 1;
    this.#malformed = error instanceof MalformedAnswerError ? this.#malformed + 1 : 0;
    this.#faults = error instanceof RequestError && error.code === 'INTERNAL_SERVER_ERROR' ? this.#faults + 1 : 0;
    this.#wantedMilliseconds = wantedSeconds(error) * 1000;
  }

  /** Patience is counted anew. */
  forgive(): void {
    this.#since = performance.now();
  }

  end(): void {
    this.#hasBegun = false;
    this.#quick = 0;
    this.#malformed = 0;
    this.#faults = 0;
  }

  get seconds(): number {
    return this.#hasBegun ? (performance.now() - this.#since) / 1000 : 0;
  }

  get makesNoSense(): boolean {
    return this.#malformed >= malformedMax || this.#faults >= faultsMax;
  }

  /** Before the next attempt. What the server itself wants comes first. */
  get pauseMilliseconds(): number {
    return this.#wantedMilliseconds + Math.min(firstMilliseconds * 2 ** (this.#quick - 1), longestMilliseconds) * (0.5 + Math.random() / 2);
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

function wantedSeconds(error: CountersignError): number {
  if (error instanceof RequestError) return error.retryAfterSeconds ?? 0;
  return error instanceof RefusedError && error.result.__typename === 'RateLimitedError' ? error.result.retryAfterSeconds : 0;
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
