import type { Log } from './log.ts';

/** Work that is to be done again after each call, but never twice at once: calls that come while it runs are met by one more run. */
export type CatchUp = () => void;

/** How often a failed run is tried again before it is left to the slow readings that happen anyway. */
const attemptsMax = 10;
const retryMilliseconds = 500;

/** `what` names the work in the log, for a run that fails; it is tried again. */
export function createCatchUp(work: () => Promise<void>, { log, signal, what }: { readonly log: Log; readonly signal: AbortSignal; readonly what: string }): CatchUp {
  let isRunning = false;
  let isWanted = false;

  async function run(): Promise<void> {
    isRunning = true;
    for (let failures = 0; isWanted && !signal.aborted; ) {
      isWanted = false;
      try {
        await work();
      } catch (error) {
        failures += 1;
        log.error({ err: error }, `${what} could not be read again after events were lost`);
        isWanted = failures < attemptsMax;
        await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
      }
    }
    isRunning = false;
  }

  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
