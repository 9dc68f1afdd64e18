import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { openClient } from './client.ts';
import { evaluate, resolve, watch } from './documents.ts';
import { percentile, type Row } from './figures.ts';
import type { ServerProcess } from './server-process.ts';
import { askedCall, setUpSession } from './setup.ts';

const journeys = 400;

/** ask → a subscriber sees it → it resolves → the caller has its answer; one after the other. */
export async function askJourney(countersign: ServerProcess, bareYoga: ServerProcess): Promise<Row[]> {
  const bareClient = openClient(bareYoga.url, 4);
  const ourClient = openClient(countersign.url, 4);
  const sessionId = await setUpSession(ourClient);
  const bare = await measure(bareYoga.url, bareClient, sessionId);
  const ours = await measure(countersign.url, ourClient, sessionId);
  await Promise.all([bareClient.close(), ourClient.close()]);
  const ratio = percentile(ours, 0.5) / percentile(bare, 0.5);
  const text = (figures: readonly number[]) => `p50 ${percentile(figures, 0.5).toFixed(2)} ms, p99 ${percentile(figures, 0.99).toFixed(2)} ms`;
  return [{ what: 'ask → subscriber → resolve → caller answered, durable', figure: `${text(ours)}; in memory on bare Yoga ${text(bare)}; p50 ratio ${ratio.toFixed(2)}`, bar: 'p50 ratio ≤ 2', held: ratio <= 2 }];
}

async function measure(url: string, client: ReturnType<typeof openClient>, sessionId: string): Promise<number[]> {
  const live = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket });
  const seen = live.iterate<{ elicitationRequested: { id: string } }>({ query: watch });
  void (async () => {
    for await (const { data } of seen) if (data) void client.call(resolve, { input: { elicitationId: data.elicitationRequested.id, action: 'ACCEPT' } });
  })();
  await new Promise((done) => setTimeout(done, 200));
  const figures: number[] = [];
  for (let journey = 0; journey < journeys; journey += 1) {
    const startedAt = performance.now();
    const { verdict } = await client.call<{ verdict: string }>(evaluate, askedCall(sessionId));
    figures.push(performance.now() - startedAt);
    if (verdict !== 'ALLOW') throw new Error(`The verdict is ${verdict}.`);
  }
  await live.dispose();
  return figures.slice(50);
}
