import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openClient, type BenchClient } from './client.ts';
import { createAgent, createApiKey, createPolicy, createSession, evaluate } from './documents.ts';
import { percentile, type Row } from './figures.ts';
import { startCountersign } from './server-process.ts';
import { allowedCall } from './setup.ts';

/** What docs/operations.md recommends where agents are not trusted. */
const limits = { subscriptionsPerConnection: 20, subscriptionsPerCredential: 100, callsPerMinute: 6000, pendingPerPrincipal: 100 };
const quietMilliseconds = 5000;
const pauseMilliseconds = 15;
/** A flood is over in seconds: of one alone, three calls would be the slowest hundredth. */
const rounds = 3;

interface Round {
  readonly quiet: readonly number[];
  readonly flooded: readonly number[];
  readonly answers: string;
}

/** A well-behaved client's calls, while nobody else calls and while hostile clients do all that they can. */
export async function underFlood(directory: string): Promise<Row> {
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) done.push(await floodOnce(directory, round));
  const quiet = done.flatMap((round) => round.quiet);
  const flooded = done.flatMap((round) => round.flooded);
  const ratio = percentile(flooded, 0.99) / percentile(quiet, 0.99);
  const text = (figures: readonly number[]) => `p50 ${percentile(figures, 0.5).toFixed(1)} ms, p99 ${percentile(figures, 0.99).toFixed(1)} ms`;
  const each = done.map((round) => (percentile(round.flooded, 0.99) / percentile(round.quiet, 0.99)).toFixed(1)).join(', ');
  return {
    what: `a well-behaved client, under a flood of 200 × 100 subscriptions and 10,000 asks, ${rounds} times`,
    figure: `p99 ratio ${ratio.toFixed(2)}; each time ${each} (quiet ${text(quiet)}; flooded ${text(flooded)}, ${flooded.length} calls; the last flood got ${done.at(-1)?.answers})`,
    bar: '≤ 3',
    held: ratio <= 3,
  };
}

async function floodOnce(directory: string, round: number): Promise<Round> {
  const config = path.join(directory, 'flood.json');
  await writeFile(config, JSON.stringify({ logLevel: 'silent', limits }));
  const server = await startCountersign(path.join(directory, `flood-${round}.db`), '--config', config);
  const local = openClient(server.url, 1);
  const keyOf = async (role: string, owner: string, client = local) => field(await client.call(createApiKey, { input: { role, owner, name: `${role} of ${owner} ${performance.now()}` } }), 'token');
  const admin = openClient(server.url, 1, await keyOf('ADMIN', 'root'));
  await local.close();
  const agentId = field(await admin.call(createAgent, { input: { name: 'agent' } }), 'id');
  await admin.call(createPolicy, { input: { target: { agentId }, name: 'os', handler: 'safety.ask_on_os_tools' } });
  const hostile = [await keyOf('AGENT', 'mallory', admin), await keyOf('AGENT', 'mallory', admin)];
  const [mallory, ann] = [openClient(server.url, 1, hostile[0]), openClient(server.url, 1, await keyOf('AGENT', 'ann', admin))];
  const [badSession, session] = [await sessionOf(mallory, agentId), await sessionOf(ann, agentId)];

  await callsWhile(ann, session, wait(1000)); // warm
  const quiet = await callsWhile(ann, session, wait(quietMilliseconds));
  const flood = await startFlood([server.url, badSession, ...hostile]);
  const flooded = await callsWhile(ann, session, flood.answers);
  const answers = await flood.answers;
  await Promise.all([admin.close(), mallory.close(), ann.close()]);
  await server.stop();
  return { quiet, flooded, answers };
}

async function callsWhile(client: BenchClient, sessionId: string, until: Promise<unknown>): Promise<number[]> {
  const figures: number[] = [];
  const over = new AbortController();
  void until.then(() => over.abort());
  while (!over.signal.aborted) {
    const startedAt = performance.now();
    const { verdict } = await client.call<{ verdict: string }>(evaluate, allowedCall(sessionId));
    if (verdict !== 'ALLOW') throw new Error(`The verdict is ${verdict}.`);
    figures.push(performance.now() - startedAt);
    await wait(pauseMilliseconds); // stays below its own rate
  }
  return figures;
}

async function startFlood(args: readonly string[]): Promise<{ answers: Promise<string> }> {
  // Last in line for the processor: hostile clients have machines of their own, and must not take the measured client's and the server's.
  const child = spawn('nice', ['-n', '19', process.execPath, 'test/bench/flooder.ts', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return { answers: lines.next().then(({ value }) => String(value)) };
}

async function sessionOf(client: BenchClient, agentId: string): Promise<string> {
  return field(await client.call(createSession, { input: { agentId } }), 'id');
}

function field(answer: Readonly<Record<string, string>>, name: string): string {
  const value = answer[name];
  if (value === undefined) throw new Error(answer['message']);
  return value;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
