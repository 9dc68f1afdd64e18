import { CountersignError } from '../sdk/errors.ts';
import { FailureRow, mayPass, pause } from '../sdk/retry.ts';
import { CutError, SilenceError } from './server.ts';

/** How long the server may be away before anything was asked: the agent stands still meanwhile, and a denial can be tried again. */
const beforehandMilliseconds = 5000;

/** And once a person may be looking at the question: a server that starts again, a network that comes back. */
const meanwhileMilliseconds = 300_000;

/** Attempts again, with the SDK's pauses, while what goes wrong may pass. Rejects with what went wrong last, or with the signal's reason. */
export async function patiently<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const row = new FailureRow();
  let limit: number | null = null;
  for (;;) {
    const startedAt = performance.now();
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !(error instanceof CountersignError) || !mayPass(error)) throw error;
      if (error instanceof CutError) {
        row.end();
        limit = performance.now() + meanwhileMilliseconds;
      } else if (error instanceof SilenceError && limit === null) {
        throw error; // that was patience enough
      }
      limit ??= performance.now() + beforehandMilliseconds;
      row.add(error, performance.now() - startedAt);
      const milliseconds = row.pauseMilliseconds;
      if (row.makesNoSense || performance.now() + milliseconds > limit) throw error;
      await pause(milliseconds, signal);
    }
  }
}
