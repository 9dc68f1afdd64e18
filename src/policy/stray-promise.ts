/**
 * Handlers are synchronous: what an `async` one returns is refused like any other nonsense. Its rejection, which nobody
 * waits for, must not end the process.
 */
export function silenceStrayPromise(value: unknown): void {
  if (value instanceof Promise) value.catch(() => undefined);
}
