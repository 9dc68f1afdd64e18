import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

/** What a client reads off the wire: judged by assertions, not by a type. */
type Wire = ReturnType<JSON['parse']>;

let server: TestServer;
let again: TestServer | null;

beforeEach(async () => {
  server = await startTestServer();
  again = null;
});

afterEach(async () => {
  await again?.remove();
  await server.remove();
});

/** The value of an operation's only field. */
async function ask(query: string, variables: object = {}): Promise<Wire> {
  const answer: Wire = await (await post((again ?? server).url, query, { variables })).json();
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return Object.values(answer.data as object)[0];
}

const createAgent = () => ask('mutation { createAgent(input: { name: "coder" }) { ... on Agent { id } } }');
const createSession = (input: object) => ask('mutation ($input: CreateSessionInput!) { createSession(input: $input) { ... on Session { id } } }', { input });
const createPolicy = (input: object) =>
  ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { __typename ... on Policy { id } ... on InvalidInputError { issues { path message } } } }', { input });
const evaluate = (sessionId: string, input: object = {}) =>
  ask('mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ... on Evaluation { id verdict status decidedBy reason decidingPolicies } ... on Error { message } } }', {
    input: { sessionId, event: { toolCall: { name: 'Bash', arguments: { command: 'make' } } }, ...input },
  });
const recordUsage = (input: object) =>
  ask('mutation ($input: RecordUsageInput!) { recordUsage(input: $input) { __typename ... on Session { usage { totalTokens totalCostUsd } } ... on Error { message } } }', { input });
const accept = (elicitationId: string) =>
  ask('mutation ($id: ID!) { resolveElicitation(input: { elicitationId: $id, action: ACCEPT }) { __typename ... on Elicitation { status } } }', { id: elicitationId });
const pendingIn = (id: string) => ask('query ($id: ID!) { session(id: $id) { pendingElicitations { id message session { id } } } }', { id });

/** Every elicitation that is raised from now on, as an approver's console gets them. */
function watch() {
  const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
  const shown = new Set<string>();
  const requested = client.iterate<{ elicitationRequested: { id: string; message: string } }>({ query: 'subscription { elicitationRequested { id message } }' });
  void (async () => {
    for await (const { data } of requested) if (data) shown.add(data.elicitationRequested.id);
  })();
  return { shown, close: () => client.dispose() };
}

async function eventually(read: () => Promise<Wire>): Promise<Wire> {
  for (const until = Date.now() + 10_000; ; ) {
    const value = await read();
    if (value) return value;
    if (Date.now() > until) throw new Error('It did not happen within ten seconds.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('a team with a budget', () => {
  it('is asked once at each checkpoint, by whichever sub-agent comes first, and stopped at the limit', async () => {
    const agent = await createAgent();
    const policy = { target: { server: true }, name: 'budget', handler: 'omnigent.policies.builtins.cost.cost_budget' };
    expect(await createPolicy({ ...policy, params: { max_cost_usd: 1, ask_thresholds_usd: [2] } })).toMatchObject({ __typename: 'InvalidInputError', issues: [{ path: ['params', 'ask_thresholds_usd', '0'] }] });
    expect(await createPolicy({ ...policy, params: { max_cost_usd: 5, ask_thresholds_usd: [1], expensive_models: ['opus'] } })).toMatchObject({ __typename: 'Policy' });
    const lead = await createSession({ agentId: agent.id, model: 'vendor-opus' });
    const [coder, tester] = [await createSession({ agentId: agent.id, parentId: lead.id, model: 'vendor-opus' }), await createSession({ agentId: agent.id, parentId: lead.id, model: 'vendor-opus' })];
    const inbox = watch();

    expect(await evaluate(coder.id)).toMatchObject({ verdict: 'ALLOW' });
    expect(await recordUsage({ sessionId: coder.id, inputTokens: 4000, outputTokens: 1000, costUsd: 0.7 })).toEqual({ __typename: 'Session', usage: { totalTokens: 5000, totalCostUsd: 0.7 } });
    expect(await evaluate(tester.id)).toMatchObject({ verdict: 'ALLOW' });
    for (let attempt = 0; attempt < 3; attempt += 1) await recordUsage({ sessionId: tester.id, idempotencyKey: 'call 1', inputTokens: 10, costUsd: 0.3 }); // its answer was lost, twice

    const calls = [evaluate(coder.id), evaluate(coder.id), evaluate(tester.id), evaluate(lead.id)];
    const waiting = await eventually(async () => {
      const { pendingElicitations } = await pendingIn(lead.id);
      return pendingElicitations.length === 3 ? pendingElicitations : null; // the coder's two calls share theirs
    });
    expect(waiting.map(({ message }: Wire) => message)).toEqual(Array.from({ length: 3 }, () => 'budget: This session and its sub-agents have cost $1.00. From $1.00 on a person must agree.'));
    await eventually(async () => inbox.shown.size === 3);
    expect(await accept(waiting[0].id)).toMatchObject({ status: 'ACCEPTED' });
    expect((await Promise.all(calls)).map(({ verdict }) => verdict)).toEqual(['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW']);
    expect((await pendingIn(lead.id)).pendingElicitations).toEqual([]);
    expect(inbox.shown.size).toBe(3);
    expect(await ask('query ($id: ID!) { session(id: $id) { state usage { totalCostUsd } } }', { id: lead.id })).toEqual({ state: { _policy_cost_ask_approved_usd: 1 }, usage: { totalCostUsd: null } });

    await recordUsage({ sessionId: lead.id, costUsd: 4 });
    expect(await evaluate(tester.id)).toMatchObject({
      verdict: 'DENY',
      decidedBy: 'POLICY',
      decidingPolicies: ['budget'],
      reason: 'This session and its sub-agents have cost $5.00. The limit is $5.00. Models that are not on the list of expensive ones may go on.',
    });
    expect(await evaluate(tester.id, { model: 'vendor-haiku' })).toMatchObject({ verdict: 'ALLOW' });
    await inbox.close();
  });

  it('keeps what was spent and approved when the server is started again', async () => {
    const agent = await createAgent();
    await createPolicy({ target: { agentId: agent.id }, name: 'daily', handler: 'cost.user_daily_cost_budget', params: { max_cost_usd: 20, ask_thresholds_usd: [10] } });
    const [one, other] = [await createSession({ agentId: agent.id }), await createSession({ agentId: agent.id })];
    await recordUsage({ sessionId: one.id, idempotencyKey: 'k', costUsd: 12 });
    const held = evaluate(other.id);
    const [elicitation] = await eventually(async () => {
      const { pendingElicitations } = await pendingIn(other.id);
      return pendingElicitations.length > 0 ? pendingElicitations : null;
    });
    await accept(elicitation.id);
    expect(await held).toMatchObject({ verdict: 'ALLOW', decidedBy: 'PERSON' });
    await server.close();

    again = await startTestServer({ database: server.config.database });
    expect(await evaluate(one.id)).toMatchObject({ verdict: 'ALLOW' });
    await recordUsage({ sessionId: one.id, idempotencyKey: 'k', costUsd: 12 });
    expect(await evaluate(one.id)).toMatchObject({ verdict: 'ALLOW' });
    expect(await recordUsage({ sessionId: one.id, idempotencyKey: 'k', costUsd: 1 })).toMatchObject({ __typename: 'ConflictError' });
    await recordUsage({ sessionId: other.id, costUsd: 8 });
    expect(await evaluate(one.id)).toMatchObject({ verdict: 'DENY', reason: "The owner's sessions have cost today $20.00. The limit is $20.00." });
  });
});
