import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PolicySchema } from '../../src/entities/policy.entity.ts';
import { openApi, type Api, type Wire } from './api.ts';
import { createPolicy, createSession, startSession } from './journey.ts';

let api: Api;
let agentId: string;
let sessionId: string;
let childId: string;

beforeAll(async () => {
  api = await openApi();
  ({ agentId, sessionId } = await startSession(api));
  childId = (await createSession(api, { agentId, parentId: sessionId })).id;
  await createPolicy(api, { target: { server: true }, name: 'on the server' });
  await createPolicy(api, { target: { agentId }, name: 'on the agent', enabled: false });
  await createPolicy(api, { target: { agentId }, name: 'also on the agent' });
  await createPolicy(api, { target: { sessionId }, name: 'on the session', handler: 'omnigent.policies.builtins.safety.max_tool_calls_per_session', params: { limit: 1 } });
  await createPolicy(api, { target: { sessionId: childId }, name: 'on the child', on: [{ phase: 'TOOL_CALL', toolName: 'Bash' }], condition: { env: ['prod'] }, writableLabels: ['env'], askTimeoutSeconds: 5 });
});

afterAll(() => api.close());

describe('policies', () => {
  it('are listed where they are attached, and in effect in evaluation order', async () => {
    const answer = await api.run(
      'query ($id: ID!) { serverPolicies { name } session(id: $id) { policies { name } effectivePolicies { name level } agent { policies { name enabled } } } }',
      { id: childId },
    );
    expect(answer).toEqual({
      serverPolicies: [{ name: 'on the server' }],
      session: {
        policies: [{ name: 'on the child' }],
        effectivePolicies: [
          { name: 'on the child', level: 'SESSION' },
          { name: 'on the session', level: 'SESSION' },
          { name: 'also on the agent', level: 'AGENT' },
          { name: 'on the server', level: 'SERVER' },
        ],
        agent: { policies: [{ name: 'on the agent', enabled: false }, { name: 'also on the agent', enabled: true }] },
      },
    });
  });

  it('show what they are made of', async () => {
    const { policies } = await api.ask('query ($id: ID!) { session(id: $id) { policies { level session { id } agent { id } handler { name kind } params on { phase toolName } condition writableLabels askTimeoutSeconds enabled } } }', { id: childId });
    expect(policies).toEqual([
      {
        level: 'SESSION',
        session: { id: childId },
        agent: null,
        handler: { name: 'safety.ask_on_os_tools', kind: 'CALLABLE' },
        params: null,
        on: [{ phase: 'TOOL_CALL', toolName: 'Bash' }],
        condition: { env: ['prod'] },
        writableLabels: ['env'],
        askTimeoutSeconds: 5,
        enabled: true,
      },
    ]);
  });

  it('can be changed in part', async () => {
    const [{ id }] = (await api.ask('query ($id: ID!) { session(id: $id) { policies { id } } }', { id: childId })).policies;
    const update = (input: object) =>
      api.ask('mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { ... on Policy { name on { phase } condition enabled handler { name } } ... on InvalidInputError { issues { path message } } } }', { input: { policyId: id, ...input } });
    expect(await update({ on: null, condition: null })).toMatchObject({ name: 'on the child', on: null, condition: null, enabled: true });
    expect(await update({ enabled: false })).toMatchObject({ enabled: false, handler: { name: 'safety.ask_on_os_tools' } });
    expect(await update({ handler: 'safety.max_tool_calls_per_session' })).toMatchObject({ issues: [{ path: ['handler'] }] });
  });

  it('leave only their id when deleted', async () => {
    const { id } = await createPolicy(api, { target: { sessionId }, name: 'short-lived' });
    const remove = () => api.ask('mutation ($id: ID!) { deletePolicy(input: { policyId: $id }) { __typename ... on DeletedPolicy { id } ... on NotFoundError { id } } }', { id });
    expect(await remove()).toEqual({ __typename: 'DeletedPolicy', id });
    expect(await remove()).toEqual({ __typename: 'NotFoundError', id });
  });

  it('whose handler is gone still read, and say what that means', async () => {
    const { id } = await createPolicy(api, { target: { agentId }, name: 'orphan' });
    await api.orm.em.fork().nativeUpdate(PolicySchema, { id }, { handler: 'gone.away', params: { a: 1 } });
    const { handler } = await api.ask('query ($id: ID!) { policy(id: $id) { handler { name kind title description paramsSchema phases } } }', { id });
    expect(handler).toMatchObject({ name: 'gone.away', kind: 'FACTORY', description: expect.stringMatching(/Not registered.*denies/), paramsSchema: null });
    expect(handler.phases).toHaveLength(6);
    await api.ask('mutation ($id: ID!) { deletePolicy(input: { policyId: $id }) { ... on DeletedPolicy { id } } }', { id });
  });
});

describe('the registry', () => {
  it('lists the handlers with what they take', async () => {
    const handlers = await api.ask('{ policyRegistry { name kind title description paramsSchema phases } }');
    expect(handlers.map(({ name }: Wire) => name)).toEqual(expect.arrayContaining(['safety.ask_on_os_tools', 'safety.block_skills', 'safety.max_tool_calls_per_session']));
    expect(handlers.find(({ name }: Wire) => name === 'safety.max_tool_calls_per_session')).toMatchObject({ kind: 'FACTORY', paramsSchema: { type: 'object', properties: { limit: { default: 100 } } } });
    expect(handlers.find(({ name }: Wire) => name === 'safety.ask_on_os_tools')).toMatchObject({ kind: 'CALLABLE', paramsSchema: null, phases: ['TOOL_CALL'] });
  });
});

describe('a preview', () => {
  const document = `query ($id: ID!, $name: String!) { previewEvaluation(input: { sessionId: $id, event: { toolCall: { name: $name } } }) {
    __typename
    ... on EvaluationPreview { verdict reason decidingPolicies data stateUpdates { key action value } labelWrites steps { policy handler level outcome reason durationMicroseconds } }
    ... on NotFoundError { id }
  } }`;

  it('says what would be allowed, and what would be written', async () => {
    const preview = await api.ask(document, { id: sessionId, name: 'search' });
    expect(preview).toMatchObject({ __typename: 'EvaluationPreview', verdict: 'ALLOW', reason: null, decidingPolicies: [], data: null, labelWrites: {}, stateUpdates: [{ action: 'INCREMENT', value: 1 }] });
    expect(preview.steps[0]).toMatchObject({ policy: 'on the session', handler: 'safety.max_tool_calls_per_session', level: 'SESSION', outcome: 'ALLOWED', reason: null });
  });

  it('says what would be asked', async () => {
    const preview = await api.ask(document, { id: sessionId, name: 'Bash' });
    expect(preview).toMatchObject({ verdict: 'ASK', reason: expect.stringContaining('also on the agent: '), decidingPolicies: ['also on the agent', 'on the server'] });
  });

  it('says what would be denied, and leaves no trace', async () => {
    await api.orm.em.fork().nativeUpdate(PolicySchema, { name: 'on the server' }, { handler: 'gone.away' });
    await api.restart();
    const preview = await api.ask(document, { id: sessionId, name: 'search' });
    expect(preview).toMatchObject({ verdict: 'DENY', decidingPolicies: [expect.any(String)], reason: expect.stringContaining('failed'), data: null });
    expect(preview.steps.some(({ outcome }: Wire) => outcome === 'FAILED')).toBe(true);
    expect(await api.ask('query ($id: ID!) { session(id: $id) { state evaluations { edges { cursor } } } }', { id: sessionId })).toEqual({ state: {}, evaluations: { edges: [] } });
    expect(await api.ask(document, { id: 'x', name: 'search' })).toEqual({ __typename: 'NotFoundError', id: 'x' });
  });
});

describe('an expression that cannot run', () => {
  it.each([
    ['event.type ==', 'Line 1, column 14'],
    ['{"result":\n  nothing}', 'Line 2, column 3: there is no variable "nothing"'],
  ])('is refused with its place when the policy is made and when it is changed: %j', async (expression, place) => {
    const make = 'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { __typename ... on Policy { id } ... on InvalidInputError { issues { path message } } } }';
    const input = { target: { server: true }, name: 'by expression', handler: 'cel.cel_policy', enabled: false };
    const refused = { __typename: 'InvalidInputError', issues: [{ path: ['params', 'expression'], message: expect.stringContaining(place) }] };
    expect(await api.ask(make, { input: { ...input, params: { expression } } })).toEqual(refused);
    const { id } = await api.ask(make, { input: { ...input, params: { expression: '{}' } } });
    const change = 'mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { __typename ... on InvalidInputError { issues { path message } } } }';
    expect(await api.ask(change, { input: { policyId: id, params: { expression } } })).toEqual(refused);
    await api.ask('mutation ($id: ID!) { deletePolicy(input: { policyId: $id }) { __typename } }', { id });
  });
});
