/** Until a limiter's window ends, whole seconds and at least one. What else it throws is thrown on. */
export function secondsLeft(refused: unknown): number {
  if (refused instanceof Error || typeof refused !== 'object' || refused === null || !('msBeforeNext' in refused)) throw refused;
  return Math.max(1, Math.ceil(Number(refused.msBeforeNext) / 1000));
}
