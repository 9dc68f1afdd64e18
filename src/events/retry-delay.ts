const firstMilliseconds = 100;
const longestMilliseconds = 5000;

/**
 * How long to wait before the next attempt (0: the first) to connect again: twice as long each time, up to 5 s, and at random between
 * half of that and all of it, so that many servers which lost one broker do not come back in step.
 */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  const longest = Math.min(firstMilliseconds * 2 ** Math.min(attempt, 16), longestMilliseconds);
  return longest * (0.5 + random() / 2);
}
