import { gql, GraphQLClient } from 'graphql-request';
import { createClient, type Client } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const createAgent = gql`mutation ($input: CreateAgentInput!) { createAgent(input: $input) { ... on Agent { id } ... on Error { message } } }`;
const createSession = gql`mutation ($input: CreateSessionInput!) { createSession(input: $input) { ... on Session { id } ... on Error { message } } }`;
const createPolicy = gql`mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { ... on Policy { id handler { name } } ... on Error { message } } }`;
const evaluate = gql`mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename ... on Evaluation { id verdict status decidedBy reason decidingPolicies } ... on Error { message } } }`;
const resolve = gql`mutation ($input: ResolveElicitationInput!) { resolveElicitation(input: $input) { __typename ... on Elicitation { status resolution { action by { name } } } ... on Error { message } } }`;
const snapshot = gql`query ($id: ID!) { session(id: $id) { pendingElicitationCount pendingElicitations { id message contentPreview digest } } }`;
const watch = gql`subscription ($sessionId: ID) { elicitationRequested(sessionId: $sessionId) { id digest session { agent { name } } } }`;

interface Asked {
  readonly id: string;
  readonly digest: string;
  readonly session: { readonly agent: { readonly name: string } };
}

let server: TestServer;
let client: GraphQLClient;
let live: Client;

beforeEach(async () => {
  server = await startTestServer();
  client = new GraphQLClient(server.url);
  live = createClient({ url: server.wsUrl, webSocketImpl: WebSocket });
});

afterEach(async () => {
  await live.dispose();
  await server.remove();
});

async function create(document: string, input: object): Promise<string> {
  const [created] = Object.values(await client.request<Record<string, { id?: string; message?: string }>>(document, { input }));
  if (created?.id === undefined) throw new Error(created?.message ?? 'Nothing was created.');
  return created.id;
}

async function askingSession(handler: string): Promise<string> {
  const sessionId = await create(createSession, { agentId: await create(createAgent, { name: 'an agent' }) });
  await create(createPolicy, { target: { sessionId }, name: 'os tools', handler });
  return sessionId;
}

describe.each(['safety.ask_on_os_tools', 'omnigent.policies.builtins.safety.ask_on_os_tools'])('a Bash call under %s', (handler) => {
  it.each([
    { action: 'ACCEPT', verdict: 'ALLOW', status: 'ACCEPTED', reason: null },
    { action: 'DECLINE', verdict: 'DENY', status: 'DECLINED', reason: 'not now' },
  ])('waits for a person, who is told of it and sees it in the snapshot; $action makes it $verdict', async ({ action, verdict, status, reason }) => {
    const sessionId = await askingSession(handler);
    const asked = live.iterate<{ elicitationRequested: Asked }>({ query: watch, variables: { sessionId } });
    const answer = client.request<{ evaluatePolicy: object }>(evaluate, { input: { sessionId, event: { toolCall: { name: 'Bash', arguments: { command: 'ls -la' } } } } });

    const { value } = await asked.next();
    const elicitation = value?.data?.elicitationRequested;
    expect(elicitation?.session.agent.name).toBe('an agent');
    expect(await client.request(snapshot, { id: sessionId })).toMatchObject({
      session: { pendingElicitationCount: 1, pendingElicitations: [{ id: elicitation?.id, digest: elicitation?.digest, contentPreview: expect.stringContaining('ls -la') }] },
    });

    const input = { elicitationId: elicitation?.id, action, expectedDigest: elicitation?.digest, comment: reason };
    expect(await client.request(resolve, { input })).toEqual({ resolveElicitation: { __typename: 'Elicitation', status, resolution: { action, by: { name: 'Local user' } } } });
    expect((await answer).evaluatePolicy).toMatchObject({ __typename: 'Evaluation', verdict, status: 'DECIDED', decidedBy: 'PERSON', reason, decidingPolicies: ['os tools'] });
    expect(await client.request(snapshot, { id: sessionId })).toMatchObject({ session: { pendingElicitationCount: 0, pendingElicitations: [] } });
  });
});

it('lets an approver answer from within the subscription, three hundred times', async () => {
  const sessionId = await askingSession('safety.ask_on_os_tools');
  const asked = live.iterate<{ elicitationRequested: Asked }>({ query: watch, variables: { sessionId } });
  const seen: string[] = [];
  void (async () => {
    for await (const { data } of asked) {
      if (!data) continue;
      seen.push(data.elicitationRequested.id);
      await client.request(resolve, { input: { elicitationId: data.elicitationRequested.id, action: 'ACCEPT' } });
    }
  })();
  const call = () => client.request<{ evaluatePolicy: { verdict: string } }>(evaluate, { input: { sessionId, event: { toolCall: { name: 'Bash', arguments: {} } } } });
  for (let batch = 0; batch < 6; batch += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, call));
    expect(answers.every(({ evaluatePolicy }) => evaluatePolicy.verdict === 'ALLOW')).toBe(true);
  }
  expect(new Set(seen).size).toBe(300);
  expect(seen).toHaveLength(300);
}, 120_000);
