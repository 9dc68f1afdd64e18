import { createClient, type Client } from 'graphql-ws';
import { afterEach, beforeEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { createAgent } from '../../src/gate/create-agent.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { startIdleProxy, type IdleProxy } from '../support/idle-proxy.ts';
import { expectKind } from '../support/journey.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const asks = 60;
const cuts = 40;

let server: TestServer;
let proxy: IdleProxy;
const clients: Client[] = [];

beforeEach(async () => {
  server = await startTestServer();
  proxy = await startIdleProxy(Number(new URL(server.baseUrl).port), 60_000);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await proxy.close();
  await server.remove();
});

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** As graphql-ws gives it: it connects anew by itself, and sends again what it waits for. */
function connect(onConnected: () => void = () => undefined): Client {
  const client = createClient({
    url: `ws://127.0.0.1:${proxy.port}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: Infinity,
    shouldRetry: () => true,
    retryWait: () => pause(10),
    on: { connected: onConnected },
  });
  clients.push(client);
  return client;
}

const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename ... on Evaluation { id verdict status } ... on Error { message } } }';
const resolve = 'mutation ($input: ResolveElicitationInput!) { resolveElicitation(input: $input) { __typename ... on Elicitation { status } ... on Error { message } } }';
const watch = 'subscription { elicitationRequested { id } }';

it('loses no ask, shows none twice to one connection, and answers each caller once, while the connections of both are cut again and again', async () => {
  const agent = expectKind(await createAgent(server.openGate(), { name: 'reconnects' }), 'created').agent.id;
  const sessionId = expectKind(await createSession(server.openGate(), { agentId: agent }), 'created').session.id;
  expectKind(await createPolicy(server.openGate(), { target: { sessionId }, name: 'os', handler: 'safety.ask_on_os_tools' }), 'created');

  let connection = 0;
  const shown: string[] = [];
  const resolutions: Promise<unknown>[] = [];
  const approver = connect(() => (connection += 1));
  const resolver = connect();
  const failures: unknown[] = [];
  approver.subscribe<{ elicitationRequested: { id: string } }>(
    { query: watch },
    {
      next({ data }) {
        const elicitationId = data?.elicitationRequested.id ?? '';
        shown.push(`${connection} ${elicitationId}`);
        const answered = pause(shown.length % 7 === 0 ? 300 : 5).then(() => resolver.iterate({ query: resolve, variables: { input: { elicitationId, action: 'ACCEPT' } } }).next());
        resolutions.push(answered);
      },
      error: (error) => failures.push(error),
      complete: () => undefined,
    },
  );

  const callers = Array.from({ length: 4 }, () => connect());
  const answers = callers.map(async (caller, lane) => {
    const told: unknown[] = [];
    for (let number = lane; number < asks; number += callers.length) {
      const input = { sessionId, idempotencyKey: `ask ${number}`, event: { toolCall: { name: 'Bash', arguments: { number } } } };
      told.push((await caller.iterate<{ evaluatePolicy: object }>({ query: evaluate, variables: { input } }).next()).value);
    }
    return told;
  });
  for (let cut = 0; cut < cuts; cut += 1) {
    await expect.poll(() => connection, { interval: 5, timeout: 10_000 }).toBe(cut + 1);
    await pause((cut * 37) % 90);
    proxy.cutAll();
  }
  const told = (await Promise.all(answers)).flat();
  await Promise.all(resolutions);

  const reader = await openDatabase(server.config.database);
  const rows = await reader.em.getConnection().execute<{ id: string }[]>('select id from evaluation');
  const elicitations = await reader.em.getConnection().execute<{ id: string }[]>('select id from elicitation');
  await reader.close();
  expect(failures).toEqual([]);
  expect(told.map((answer) => JSON.stringify(answer)).toSorted()).toEqual(
    rows.map(({ id }) => JSON.stringify({ data: { evaluatePolicy: { __typename: 'Evaluation', id, verdict: 'ALLOW', status: 'DECIDED' } } })).toSorted(),
  );
  expect(rows).toHaveLength(asks);
  expect(new Set(shown).size).toBe(shown.length);
  expect(new Set(shown.map((line) => line.split(' ')[1]))).toEqual(new Set(elicitations.map(({ id }) => id)));
}, 60_000);
