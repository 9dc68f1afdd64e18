/** The promise, or the signal's reason as soon as it is aborted. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason as Error);
  promise.catch(() => undefined); // may come after nobody waits for it
  signal.throwIfAborted();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
