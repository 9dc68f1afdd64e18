import { createClient, type Client } from 'graphql-ws';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { post } from '../support/post.ts';
import { startKeyedServer, type KeyedServer } from './keyed-server.ts';

let keyed: KeyedServer;
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await keyed.remove();
});

const createAgent = 'mutation ($input: CreateAgentInput!) { createAgent(input: $input) { ... on Agent { id } ... on Error { message } } }';
const createSession = 'mutation ($input: CreateSessionInput!) { createSession(input: $input) { ... on Session { id } ... on Error { message } } }';
const createPolicy = 'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { ... on Policy { id } ... on Error { message } } }';
const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename ... on Evaluation { id verdict elicitation { id } } ... on Error { message } } }';
const resolve = 'mutation ($input: ResolveElicitationInput!) { resolveElicitation(input: $input) { __typename ... on Elicitation { status } ... on Error { message } } }';
const watch = 'subscription { elicitationRequested { id } }';

/** A part of the flood that `npm run bench` measures, so that a test run stays short. */
const connections = 50;
const subscriptionsEach = 40;
const evaluations = 4000;
const limits = { subscriptionsPerConnection: 20, subscriptionsPerCredential: 500, callsPerMinute: 800, pendingPerPrincipal: 50, connections: 1000 };

function connect(token: string): Client {
  const client = createClient({ url: keyed.server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { authorization: `Bearer ${token}` } });
  clients.push(client);
  return client;
}

function tally(codes: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, those]) => [code, those.length]));
}

/** The code with which a subscription is refused; resolves only for those that are. */
function refusalOf(client: Client): Promise<string> {
  return new Promise((done) => {
    const codeIn = (errors: unknown) => done((errors as { extensions: { code: string } }[])[0]?.extensions.code ?? String(errors));
    client.subscribe({ query: watch }, { next: ({ errors }) => errors && codeIn(errors), error: codeIn, complete: () => undefined });
  });
}

it('of many connections with many subscriptions each, and of thousands of asks, is answered by limits, while others work as ever', { timeout: 240_000 }, async () => {
  keyed = await startKeyedServer({ limits });
  const { server, key, ask } = keyed;
  const admin = await key('ADMIN');
  const { id: agentId } = await ask(admin, createAgent, { input: { name: 'agent' } });
  await ask(admin, createPolicy, { input: { target: { agentId }, name: 'os', handler: 'safety.ask_on_os_tools' } });
  const [hostile, other, good, approver] = [await key('AGENT', { owner: 'mallory' }), await key('AGENT', { owner: 'mallory' }), await key('AGENT', { owner: 'ann' }), await key('APPROVER', { owner: 'bob' })];
  const sessionOf = async (token: string): Promise<string> => (await ask(token, createSession, { input: { agentId } })).id;
  const [badSession, goodSession] = [await sessionOf(hostile), await sessionOf(good)];
  const bash = (sessionId: string, command: string) => ({ input: { sessionId, waitSeconds: 0, event: { toolCall: { name: 'Bash', arguments: { command } } } } });

  const refused: string[] = [];
  const tokens = [hostile, other];
  for (let connection = 0; connection < connections; connection += 1) {
    const client = connect(tokens[connection % 2] ?? hostile);
    for (let count = 0; count < subscriptionsEach; count += 1) void refusalOf(client).then((code) => refused.push(code));
  }
  const kept = tokens.length * limits.subscriptionsPerCredential;
  await expect.poll(() => refused.length, { timeout: 120_000, interval: 200 }).toBeGreaterThanOrEqual(connections * subscriptionsEach - kept);
  expect(Object.keys(tally(refused)).sort()).toEqual(expect.arrayContaining(['TOO_MANY_SUBSCRIPTIONS']));
  expect(Object.keys(tally(refused)).filter((code) => !['TOO_MANY_SUBSCRIPTIONS', 'RATE_LIMITED'].includes(code))).toEqual([]);

  let sent = 0;
  const answers: string[] = [];
  const attack = Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      while (sent < evaluations) {
        sent += 1;
        const response = await post(server.url, evaluate, { variables: bash(badSession, `ls ${sent}`), headers: { authorization: `Bearer ${tokens[index % 2]}` } });
        const { data, errors } = await response.json();
        answers.push(response.status === 200 ? (data?.evaluatePolicy.__typename ?? errors[0].extensions.code) : String(response.status));
      }
    }),
  );
  let works = 0;
  const over = new AbortController();
  void attack.finally(() => over.abort());
  while (!over.signal.aborted || works === 0) {
    const { elicitation, verdict } = await ask(good, evaluate, bash(goodSession, `make ${works}`));
    expect(verdict).toBe('ASK');
    expect(await ask(approver, resolve, { input: { elicitationId: elicitation.id, action: 'ACCEPT' } })).toEqual({ __typename: 'Elicitation', status: 'ACCEPTED' });
    works += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await attack;
  const { Evaluation = 0, TooManyPendingError = 0, RateLimitedError = 0, ...others } = tally(answers);
  expect(others).toEqual({});
  expect(Evaluation).toBe(limits.pendingPerPrincipal);
  expect(TooManyPendingError).toBeGreaterThan(0);
  expect(RateLimitedError).toBeGreaterThan(0);
  expect(Evaluation + TooManyPendingError + RateLimitedError).toBe(answers.length);
  expect(answers.length).toBeGreaterThanOrEqual(evaluations);
  expect(await server.openGate().em.count(EvaluationSchema, { session: badSession as never })).toBe(limits.pendingPerPrincipal);
  expect(works).toBeGreaterThan(5);
});
