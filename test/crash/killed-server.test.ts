import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { openDatabase } from '../support/open-gate.ts';
import { startCli, type RunningCli } from '../support/run-cli.ts';

const asks = 100;
const kills = 6;
const seed = 20_261_201;

let cwd: string;
let port: number;
let server: RunningCli;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'countersign-crash-'));
  port = await freePort();
  server = await start();
});

afterEach(async () => {
  server.process.kill('SIGKILL');
  await server.result;
  await rm(cwd, { recursive: true });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

async function start(): Promise<RunningCli> {
  const running = startCli(['serve', '--port', String(port), '--database', 'sqlite:crash.db'], { cwd, env: { COUNTERSIGN_LOG_LEVEL: 'error' } });
  await running.ready;
  return running;
}

/** Small numbers that look random and are the same in every run (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function call<T>(query: string, variables: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }) });
  const { data } = (await response.json()) as { data: Record<string, T> };
  const [value] = Object.values(data);
  if (value === undefined) throw new Error('There is no answer.');
  return value;
}

/** Again and again until the server is back and answers. */
async function persistently<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await pause(50);
    }
  }
}

interface Answer {
  readonly id: string;
  readonly verdict: string;
  readonly status: string;
}

const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ... on Evaluation { id verdict status } } }';
const resolve = 'mutation ($input: ResolveElicitationInput!) { resolveElicitation(input: $input) { __typename } }';
const pendingOf = 'query ($id: ID!) { session(id: $id) { pendingElicitations { id event } } }';

it('loses nothing, doubles nothing and allows nothing twice, wherever in the life of a hundred asks the server is killed', async () => {
  const random = randomFrom(seed);
  const create = async (field: string, input: object) => (await call<{ id: string }>(`mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ... on Node { id } } }`, { input })).id;
  const sessionId = await create('createSession', { agentId: await create('createAgent', { name: 'crash' }) });
  await create('createPolicy', { target: { sessionId }, name: 'os', handler: 'safety.ask_on_os_tools' });

  /** A caller holds its call, and takes it up again by its key whenever the connection breaks or the server says that it is undecided. */
  const ask = async (number: number): Promise<Answer> => {
    await pause(random() * 6000);
    const input = { sessionId, idempotencyKey: `ask ${number}`, event: { toolCall: { name: 'Bash', arguments: { number } } } };
    for (;;) {
      const answer = await persistently(() => call<Answer>(evaluate, { input }));
      if (answer.status !== 'AWAITING_APPROVAL') return answer;
    }
  };

  let isOver = false;
  /** What the approver decided of each ask, by its number: even ones are accepted. */
  const approve = async () => {
    while (!isOver) {
      const { pendingElicitations } = await persistently(() => call<{ pendingElicitations: { id: string; event: { data: { arguments: { number: number } } } }[] }>(pendingOf, { id: sessionId }));
      for (const { id, event } of pendingElicitations) {
        const action = event.data.arguments.number % 2 === 0 ? 'ACCEPT' : 'DECLINE';
        await persistently(() => call(resolve, { input: { elicitationId: id, action } }));
        await pause(random() * 100);
      }
      await pause(20);
    }
  };

  const killer = (async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(300 + random() * 1200);
      server.process.kill('SIGKILL');
      await server.result;
      server = await start();
    }
  })();

  const approver = approve();
  const answers = await Promise.all(Array.from({ length: asks }, (_, number) => ask(number)));
  await killer;
  isOver = true;
  await approver;

  expect(answers.map(({ verdict }) => verdict)).toEqual(answers.map((_, number) => (number % 2 === 0 ? 'ALLOW' : 'DENY')));
  const orm = await openDatabase(path.join(cwd, 'crash.db'));
  const evaluations = await orm.em.fork().find(EvaluationSchema, {});
  const elicitations = await orm.em.fork().find(ElicitationSchema, {});
  await orm.close();
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set(evaluations.map(({ id }) => id)));
  expect(evaluations).toHaveLength(asks);
  expect(elicitations).toHaveLength(asks);
  const acceptedIds = new Set(elicitations.filter(({ action }) => action === 'ACCEPT').map(({ id }) => id));
  for (const { verdict, status, decidedBy, elicitation } of evaluations) {
    expect({ status, decidedBy }).toEqual({ status: 'DECIDED', decidedBy: 'PERSON' });
    expect(verdict === 'ALLOW').toBe(acceptedIds.has(elicitation ?? ('' as never)));
  }
}, 180_000);
