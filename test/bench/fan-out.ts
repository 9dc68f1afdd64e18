import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { compareJourneys, type Side } from './compare-journeys.ts';
import { evaluate, resolve, watch } from './documents.ts';
import type { Row } from './figures.ts';
import type { ServerProcess } from './server-process.ts';
import { askedCall } from './setup.ts';

const connections = 10;
const subscriptionsEach = 100;
const asks = 40;

/** One ask, a thousand subscribers: until the last of them has it, against a bare Yoga that sends it from memory. */
export async function fanOut(countersign: ServerProcess, bareYoga: ServerProcess): Promise<Row> {
  const { ours, theirs, ratio } = await compareJourneys(countersign, bareYoga, measure);
  return { what: 'ask → the last of 1,000 subscribers has it', figure: `${ours}; bare Yoga ${theirs}; p50 ratio ${ratio.toFixed(2)}`, bar: 'reported', held: null };
}

async function measure({ url, caller, sessionId }: Side): Promise<number[]> {
  let heard = 0;
  let all = Promise.withResolvers<string>();
  const clients = Array.from({ length: connections }, () => createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket }));
  for (const client of clients) {
    for (let count = 0; count < subscriptionsEach; count += 1) {
      void (async () => {
        for await (const { data } of client.iterate<{ elicitationRequested: { id: string } }>({ query: watch })) {
          heard += 1;
          if (heard === connections * subscriptionsEach) all.resolve(String(data?.elicitationRequested.id));
        }
      })().catch(() => undefined);
    }
  }
  await new Promise((done) => setTimeout(done, 3000));
  const figures: number[] = [];
  for (let ask = 0; ask < asks; ask += 1) {
    heard = 0;
    all = Promise.withResolvers();
    const startedAt = performance.now();
    const answer = caller.call(evaluate, askedCall(sessionId));
    const elicitationId = await all.promise;
    figures.push(performance.now() - startedAt);
    await caller.call(resolve, { input: { elicitationId, action: 'ACCEPT' } });
    await answer;
  }
  for (const client of clients) await client.dispose();
  return figures.slice(5);
}
