import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { compareJourneys, type Side } from './compare-journeys.ts';
import { evaluate, resolve, watch } from './documents.ts';
import type { Row } from './figures.ts';
import type { ServerProcess } from './server-process.ts';
import { askedCall } from './setup.ts';

const journeys = 400;

/** ask → a subscriber sees it → it resolves → the caller has its answer; one after the other. */
export async function askJourney(countersign: ServerProcess, bareYoga: ServerProcess): Promise<Row[]> {
  const { ours, theirs, ratio } = await compareJourneys(countersign, bareYoga, measure);
  return [{ what: 'ask → subscriber → resolve → caller answered, durable', figure: `${ours}; in memory on bare Yoga ${theirs}; p50 ratio ${ratio.toFixed(2)}`, bar: 'p50 ratio ≤ 2', held: ratio <= 2 }];
}

async function measure({ url, caller, sessionId }: Side): Promise<number[]> {
  const live = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket });
  const seen = live.iterate<{ elicitationRequested: { id: string } }>({ query: watch });
  void (async () => {
    for await (const { data } of seen) if (data) void caller.call(resolve, { input: { elicitationId: data.elicitationRequested.id, action: 'ACCEPT' } });
  })();
  await new Promise((done) => setTimeout(done, 200));
  const figures: number[] = [];
  for (let journey = 0; journey < journeys; journey += 1) {
    const startedAt = performance.now();
    const { verdict } = await caller.call<{ verdict: string }>(evaluate, askedCall(sessionId));
    figures.push(performance.now() - startedAt);
    if (verdict !== 'ALLOW') throw new Error(`The verdict is ${verdict}.`);
  }
  await live.dispose();
  return figures.slice(50);
}
