import { ElicitRequestSchema, type ElicitRequest, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, it } from 'vitest';
import { startKeyedServer } from '../access/keyed-server.ts';
import { eventually } from '../support/journey.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { attach, connectThrough, everything, listPending, pendingAt, resolve, textOf, type Connected, type ConnectOptions } from './gateway-world.ts';

type Params = ElicitRequest['params'];

interface Asked extends Connected {
  readonly questions: { readonly params: Params; readonly signal: AbortSignal }[];
  readonly sum: () => ReturnType<Connected['client']['callTool']>;
}

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

async function start(): Promise<TestServer> {
  const server = await startTestServer();
  ending.push(server.remove);
  await attach(server);
  return server;
}

async function client(server: TestServer, answer: ((params: Params) => ElicitResult) | 'nothing', options: ConnectOptions = {}): Promise<Asked> {
  const questions: Asked['questions'] = [];
  const connected = await connectThrough(server, ['--', ...everything], {
    capabilities: { elicitation: { form: {}, url: {} } },
    prepare: (mcp) =>
      mcp.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
        questions.push({ params, signal });
        return answer === 'nothing' ? new Promise<never>(() => undefined) : answer(params);
      }),
    ...options,
  });
  ending.push(() => connected.client.close());
  return { ...connected, questions, sum: () => connected.client.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } }) };
}

it('asks the one user of a server without keys by a form that shows what would run, and runs it on approval', { timeout: 60_000 }, async () => {
  const { sum, questions } = await client(await start(), () => ({ action: 'accept', content: { decision: 'approve' } }));
  expect(textOf(await sum())).toContain('3');
  expect(questions).toHaveLength(1);
  expect(questions[0]?.params.message).toContain('{"name":"get-sum","arguments":{"a":1,"b":2}}');
  expect(questions[0]?.params).toMatchObject({ requestedSchema: { required: ['decision'], properties: { decision: { enum: ['approve', 'deny'] } } } });
});

it('takes the words of a denial for the reason', { timeout: 60_000 }, async () => {
  const { sum } = await client(await start(), () => ({ action: 'accept', content: { decision: 'deny', comment: 'Not today.' } }));
  expect(textOf(await sum())).toContain('The tool was not run: Not today.\nDecided by a person');
});

it.each<[string, ElicitResult]>([
  ['an accept without a decision', { action: 'accept', content: {} }],
  ['a form that is dismissed', { action: 'cancel' }],
])('takes %s for no answer: the question stays', { timeout: 60_000 }, async (_what, result) => {
  const server = await start();
  const { sum, questions } = await client(server, () => result);
  const call = sum();
  await eventually(async () => questions.length === 1);
  const { id } = await pendingAt(server.url);
  await resolve(server.url, { elicitationId: id, action: 'DECLINE', comment: 'Decided at the console.' });
  expect(textOf(await call)).toContain('Decided at the console.');
});

it('takes the question back when it is decided elsewhere', { timeout: 60_000 }, async () => {
  const server = await start();
  const { sum, questions } = await client(server, 'nothing');
  const call = sum();
  await eventually(async () => questions.length === 1);
  await resolve(server.url, { elicitationId: (await pendingAt(server.url)).id, action: 'ACCEPT' });
  expect(textOf(await call)).toContain('3');
  await eventually(async () => questions[0]?.signal.aborted);
});

it.each<[string, ConnectOptions['capabilities'], string | null]>([
  ['a client that shows forms alone', { elicitation: {} }, null],
  ['a client that shows pages as well', { elicitation: { form: {}, url: {} } }, 'url'],
  ['a client that shows nothing', {}, null],
])('never takes an answer for a key that may not accept: %s', { timeout: 60_000 }, async (_what, capabilities, mode) => {
  const keyed = await startKeyedServer();
  ending.push(keyed.remove);
  await attach(keyed.server);
  const [admin, agent] = [await keyed.key('ADMIN'), await keyed.key('AGENT', { owner: 'ann' })];
  await keyed.ask(admin, 'mutation { createAgent(input: { name: "robot" }) { __typename } }');
  const accepting = { env: { COUNTERSIGN_TOKEN: agent, COUNTERSIGN_AGENT: 'robot' }, ...(capabilities?.elicitation ? { capabilities } : { capabilities: {}, prepare: () => undefined }) };
  const { sum, questions } = await client(keyed.server, () => ({ action: 'accept', content: { decision: 'approve' } }), accepting);
  const call = sum();
  const pending = await eventually(async () => {
    const { edges } = await keyed.ask(admin, '{ elicitations(filter: { status: PENDING }) { edges { node { id url } } } }');
    return edges[0]?.node as { id: string; url: string } | undefined;
  });
  if (mode !== null) {
    await eventually(async () => questions.length === 1);
    expect(questions[0]?.params).toMatchObject({ mode, url: pending.url, elicitationId: pending.id });
  }
  await new Promise((done) => setTimeout(done, 500));
  expect(questions).toHaveLength(mode === null ? 0 : 1);
  const decline = 'mutation ($id: ID!) { resolveElicitation(input: { elicitationId: $id, action: DECLINE }) { __typename } }';
  expect(await keyed.ask(admin, decline, { id: pending.id })).toEqual({ __typename: 'Elicitation' });
  expect((await call).isError).toBe(true);
});

it('asks nobody at the client who is asked nothing by policy', { timeout: 60_000 }, async () => {
  const server = await startTestServer();
  ending.push(server.remove);
  const { sum, questions } = await client(server, () => ({ action: 'accept', content: { decision: 'approve' } }));
  expect(textOf(await sum())).toContain('3');
  expect(questions).toEqual([]);
  expect(await listPending(server.url)).toEqual([]);
});
