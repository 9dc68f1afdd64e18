import { openClient } from './client.ts';
import { evaluate, resolve, watch } from './documents.ts';
import { percentile, type Row } from './figures.ts';
import type { ServerProcess } from './server-process.ts';
import { askedCall, setUpSession } from './setup.ts';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

const parked = 2000;

/** Many calls held at once, each on its own connection; then all are accepted, and each must be answered ALLOW. */
export async function parkedCalls(countersign: ServerProcess): Promise<Row[]> {
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
  await new Promise((done) => setTimeout(done, 200));
  const before = await countersign.residentBytes();
  const answeredAt = new Map<number, number>();
  const answers = Array.from({ length: parked }, async (_, index) => {
    const { verdict } = await callers.call<{ verdict: string }>(evaluate, askedCall(sessionId));
    answeredAt.set(index, performance.now());
    return verdict;
  });
  await allSeen;
  await new Promise((done) => setTimeout(done, 1000));
  const bytesEach = ((await countersign.residentBytes()) - before) / parked;

  const startedAt = performance.now();
  const resolveMilliseconds: number[] = [];
  const queue = [...ids];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        const sentAt = performance.now();
        await approver.call(resolve, { input: { elicitationId: id, action: 'ACCEPT' } });
        resolveMilliseconds.push(performance.now() - sentAt);
      }
    }),
  );
  const verdicts = await Promise.all(answers);
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all([callers.close(), approver.close(), live.dispose()]);
  const allowed = verdicts.filter((verdict) => verdict === 'ALLOW').length;
  return [
    { what: `${parked} calls parked at once on one process, all accepted`, figure: `${allowed} answered ALLOW, ${(parked / seconds).toFixed(0)} resolutions/s, p99 of a resolution ${percentile(resolveMilliseconds, 0.99).toFixed(0)} ms`, bar: `${parked} answered`, held: allowed === parked },
    { what: 'memory of a parked call (resident, its connection included)', figure: `${(bytesEach / 1024).toFixed(1)} KiB`, bar: 'reported (≤ 30 KB later)', held: null },
  ];
}
