import path from 'node:path';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { openClient } from './client.ts';
import { evaluate, resolve, watch } from './documents.ts';
import { percentile, type Row } from './figures.ts';
import { startCountersign } from './server-process.ts';
import { askedCall, setUpSession } from './setup.ts';

const parked = 10_000;
const resolutionsPerSecond = 500;
/** Not all in one moment: that would be a bench of the system's queue of connections. */
const asksPerSecond = 200;

/** Many calls held at once, each on its own connection; then all are accepted at a steady rate, and each must be answered ALLOW. */
export async function parkedCalls(directory: string): Promise<Row[]> {
  const countersign = await startCountersign(path.join(directory, 'parked.db'));
  const callers = openClient(countersign.url, parked);
  const approver = openClient(countersign.url, 8);
  const sessionId = await setUpSession(approver);
  const live = createClient({ url: countersign.url.replace('http', 'ws'), webSocketImpl: WebSocket });
  const ids: string[] = [];
  const allSeen = (async () => {
    for await (const { data } of live.iterate<{ elicitationRequested: { id: string } }>({ query: watch })) {
      if (data) ids.push(data.elicitationRequested.id);
      if (ids.length === parked) return;
    }
  })();
  await wait(200);
  const before = await countersign.residentBytes();
  const answeredAt = new Map<string, number>();
  const answers = Array.from({ length: parked }, async (_, index) => {
    await wait((index / asksPerSecond) * 1000);
    const { verdict, elicitation } = await callers.call<{ verdict: string; elicitation: { id: string } }>(evaluateWithElicitation, askedCall(sessionId));
    answeredAt.set(elicitation.id, performance.now());
    return verdict;
  });
  await allSeen;
  await wait(3000);
  const bytesEach = ((await countersign.residentBytes()) - before) / parked;

  const sentAt = new Map<string, number>();
  const startedAt = performance.now();
  await Promise.all(
    ids.map(async (elicitationId, index) => {
      await wait((index / resolutionsPerSecond) * 1000);
      sentAt.set(elicitationId, performance.now());
      await approver.call(resolve, { input: { elicitationId, action: 'ACCEPT' } });
    }),
  );
  const verdicts = await Promise.all(answers);
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all([callers.close(), approver.close(), live.dispose()]);
  await countersign.stop();
  const allowed = verdicts.filter((verdict) => verdict === 'ALLOW').length;
  const wakes = [...sentAt].map(([id, at]) => (answeredAt.get(id) ?? NaN) - at);
  const p99 = percentile(wakes, 0.99);
  return [
    {
      what: `${parked} calls parked at once on one process, all accepted`,
      figure: `${allowed} answered ALLOW at ${(parked / seconds).toFixed(0)} resolutions/s (${resolutionsPerSecond} sent); wake p50 ${percentile(wakes, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(0)} ms`,
      bar: `all; p99 wake ≤ 50 ms at ${resolutionsPerSecond}/s`,
      held: allowed === parked && p99 <= 50,
    },
    { what: 'memory of a parked call (resident, its connection included)', figure: `${(bytesEach / 1000).toFixed(1)} KB`, bar: '≤ 30 KB', held: bytesEach <= 30_000 },
  ];
}

const evaluateWithElicitation = evaluate.replace('data\n', 'data\n        elicitation { id }\n');

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
