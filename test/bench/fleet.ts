import { startCluster } from '../support/postgres/cluster.ts';
import { openClient, type BenchClient } from './client.ts';
import { evaluate, resolve } from './documents.ts';
import { percentile, type Row } from './figures.ts';
import { startOnPostgres } from './server-process.ts';
import { allowedCall, askedCall, setUpSession } from './setup.ts';

const journeys = 300;
const concurrency = 16;
const milliseconds = 4000;

/** Two servers on one PostgreSQL that keeps what it has committed: a decision at one wakes the caller at the other; and what a second process adds. */
export async function fleet(): Promise<Row[]> {
  const postgres = await startCluster({ isDurable: true });
  const [one, other] = [await startOnPostgres(postgres.urlOf('postgres')), await startOnPostgres(postgres.urlOf('postgres'))];
  const [atOne, atOther] = [openClient(one.url, concurrency), openClient(other.url, concurrency)];
  try {
    const sessionId = await setUpSession(atOne);
    const wakes = await wakesAcross({ caller: atOne, approver: atOther, sessionId });
    const others = await setUpSession(atOther);
    await allowed([[atOne, sessionId], [atOther, others]]);
    const alone = await allowed([[atOne, sessionId]]);
    const both = await allowed([[atOne, sessionId], [atOther, others]]);
    const p99 = percentile(wakes, 0.99);
    return [
      { what: 'two servers on PostgreSQL: decided at one, answered at the other', figure: `p50 ${percentile(wakes, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`, bar: 'p99 ≤ 50 ms', held: p99 <= 50 },
      { what: 'ALLOW on PostgreSQL, two processes against one', figure: `${(both / alone).toFixed(2)} (${both.toFixed(0)} of ${alone.toFixed(0)} calls/s; database, servers and client share the machine)`, bar: 'reported', held: null },
    ];
  } finally {
    await Promise.all([atOne.close(), atOther.close()]);
    await Promise.all([one.stop(), other.stop()]);
    await postgres.remove();
  }
}

/** From sending the decision to one server until the caller has the answer of the other. */
async function wakesAcross({ caller, approver, sessionId }: { caller: BenchClient; approver: BenchClient; sessionId: string }): Promise<number[]> {
  const pending = 'query ($id: ID!) { session(id: $id) { pendingElicitations { id } } }';
  const figures: number[] = [];
  for (let journey = 0; journey < journeys; journey += 1) {
    const answer = caller.call<{ verdict: string }>(evaluate, askedCall(sessionId)).then(({ verdict }) => ({ verdict, at: performance.now() }));
    let elicitationId: string | undefined;
    while (elicitationId === undefined) elicitationId = (await approver.call<{ pendingElicitations: { id: string }[] }>(pending, { id: sessionId })).pendingElicitations[0]?.id;
    const sentAt = performance.now();
    await approver.call(resolve, { input: { elicitationId, action: 'ACCEPT' } });
    const { verdict, at } = await answer;
    if (verdict !== 'ALLOW') throw new Error(`The verdict is ${verdict}.`);
    figures.push(at - sentAt);
  }
  return figures.slice(20);
}

/** Calls a second, over all of them. */
async function allowed(lanes: readonly (readonly [BenchClient, string])[]): Promise<number> {
  let calls = 0;
  const until = performance.now() + milliseconds;
  const loop = async ([client, sessionId]: readonly [BenchClient, string]) => {
    while (performance.now() < until) {
      await client.call(evaluate, allowedCall(sessionId));
      calls += 1;
    }
  };
  await Promise.all(lanes.flatMap((lane) => Array.from({ length: concurrency / lanes.length }, () => loop(lane))));
  return calls / (milliseconds / 1000);
}
