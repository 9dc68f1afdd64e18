import { openClient, type BenchClient } from './client.ts';
import { percentile } from './figures.ts';
import type { ServerProcess } from './server-process.ts';
import { setUpSession } from './setup.ts';

/** A server, and a session to ask in. */
export interface Side {
  readonly url: string;
  readonly caller: BenchClient;
  readonly sessionId: string;
}

/** Milliseconds of the same journeys on bare Yoga and then on Countersign, and how much longer the median of ours is. Bare Yoga keeps no sessions: it is asked with the id of ours. */
export async function compareJourneys(countersign: ServerProcess, bareYoga: ServerProcess, measure: (side: Side) => Promise<number[]>): Promise<{ ours: string; theirs: string; ratio: number }> {
  const [ourCaller, bareCaller] = [openClient(countersign.url, 4), openClient(bareYoga.url, 4)];
  const sessionId = await setUpSession(ourCaller);
  const theirs = await measure({ url: bareYoga.url, caller: bareCaller, sessionId });
  const ours = await measure({ url: countersign.url, caller: ourCaller, sessionId });
  await Promise.all([ourCaller.close(), bareCaller.close()]);
  return { ours: inWords(ours), theirs: inWords(theirs), ratio: percentile(ours, 0.5) / percentile(theirs, 0.5) };
}

const inWords = (figures: readonly number[]) => `p50 ${percentile(figures, 0.5).toFixed(2)} ms, p99 ${percentile(figures, 0.99).toFixed(2)} ms`;
