import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/journey.ts';
import { openApi, type Api } from './api.ts';
import { createAgent, createPolicy, createSession, evaluate, resolve, startSession } from './journey.ts';

let api: Api;
let agentId: string;
let sessionId: string;

beforeAll(async () => {
  api = await openApi({ settings: { waitingMax: 1 } });
  ({ agentId, sessionId } = await startSession(api));
  await createPolicy(api, { target: { sessionId } });
});

afterAll(() => api.close());

const unknownAgent = 'agt_01m8qvj5jjf249tsfe85w2zk7r';

describe('an expected failure is a member of the result', () => {
  it('InvalidInputError: all that is wrong, each with its path', async () => {
    const answer = await api.ask(
      'mutation ($input: CreateAgentInput!) { createAgent(input: $input) { __typename ... on InvalidInputError { message issues { path message } } } }',
      { input: { name: ' ', askTimeoutSeconds: 0, labelDefinitions: [{ key: 'a' }, { key: 'a' }] } },
    );
    expect(answer).toEqual({
      __typename: 'InvalidInputError',
      message: 'Invalid input: name: must not be blank (and 2 more)',
      issues: [
        { path: ['name'], message: 'must not be blank' },
        { path: ['askTimeoutSeconds'], message: 'must be at least 1 second' },
        { path: ['labelDefinitions', '1', 'key'], message: 'is defined twice' },
      ],
    });
  });

  it('NotFoundError: which id', async () => {
    const answer = await api.ask('mutation ($id: ID!) { createSession(input: { agentId: $id }) { __typename ... on NotFoundError { message id } } }', { id: unknownAgent });
    expect(answer).toEqual({ __typename: 'NotFoundError', message: `There is no agent "${unknownAgent}".`, id: unknownAgent });
  });

  it('ConflictError: a name that is taken', async () => {
    expect(await createAgent(api, { name: 'coder' })).toEqual({ __typename: 'ConflictError', message: expect.stringContaining('"coder"') });
    expect(await createPolicy(api, { target: { sessionId } })).toEqual({ __typename: 'ConflictError', message: expect.stringContaining('"os tools"') });
  });

  it('IdempotencyKeyReusedError: the evaluation that the key stands for', async () => {
    const first = await evaluate(api, sessionId, { command: 'one', idempotencyKey: 'k' });
    const answer = await api.ask(
      'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename ... on IdempotencyKeyReusedError { message evaluation { id event } } } }',
      { input: { sessionId, idempotencyKey: 'k', waitSeconds: 0, event: { response: { content: 'other' } } } },
    );
    expect(answer).toMatchObject({ __typename: 'IdempotencyKeyReusedError', evaluation: { id: first.id, event: { type: 'tool_call' } } });
  });

  it('ForbiddenError, AlreadyResolvedError, StaleElicitationError, EditRefusedError: what the approver must know', async () => {
    const agent = { principal: { kind: 'AGENT_KEY', id: 'key_1', name: 'ci' } } as const;
    const { elicitation } = await evaluate(api, sessionId, { command: 'two', caller: agent });
    const elicitationId = elicitation.id;
    expect(await resolve(api, { elicitationId, action: 'ACCEPT' }, agent)).toEqual({ __typename: 'ForbiddenError', message: expect.stringContaining('another person') });
    expect(await resolve(api, { elicitationId, action: 'ACCEPT', expectedDigest: 'x' })).toMatchObject({ __typename: 'StaleElicitationError', elicitation: { id: elicitationId, digest: elicitation.digest } });
    await createPolicy(api, { target: { agentId }, name: 'another' });
    expect(await resolve(api, { elicitationId, action: 'ACCEPT', editedArguments: { command: 'three' } })).toMatchObject({
      __typename: 'EditRefusedError',
      policy: 'another',
      issues: [{ path: ['editedArguments'] }],
    });
    expect(await resolve(api, { elicitationId, action: 'ACCEPT', comment: 'fine' })).toMatchObject({ __typename: 'Elicitation', status: 'ACCEPTED', resolution: { comment: 'fine' } });
    expect(await resolve(api, { elicitationId, action: 'DECLINE' })).toMatchObject({ __typename: 'AlreadyResolvedError', elicitation: { id: elicitationId, status: 'ACCEPTED' } });
    expect(await resolve(api, { elicitationId: 'x', action: 'ACCEPT' })).toMatchObject({ __typename: 'NotFoundError', id: 'x' });
    expect(await resolve(api, { elicitationId, action: 'DECLINE', content: {} })).toMatchObject({ __typename: 'InvalidInputError', issues: [{ path: ['content'] }] });
  });

  it('TooManyPendingError: how many the server holds', async () => {
    const caller = new AbortController();
    const held = evaluate(api, sessionId, { command: 'held', waitSeconds: null, caller: { signal: caller.signal } });
    await eventually(async () => {
      const { pendingElicitations } = await api.ask('query ($id: ID!) { session(id: $id) { pendingElicitations { contentPreview } } }', { id: sessionId });
      return JSON.stringify(pendingElicitations).includes('held');
    });
    const answer = await api.ask('mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename ... on TooManyPendingError { message limit } } }', {
      input: { sessionId, event: { toolCall: { name: 'Bash' } } },
    });
    expect(answer).toMatchObject({ __typename: 'TooManyPendingError', limit: 1 });
    caller.abort();
    await held;
  });

  it('reads by the interface, whatever it is', async () => {
    const answer = await api.ask('mutation { endSession(input: { sessionId: "x" }) { ... on Error { message } } }');
    expect(answer).toEqual({ message: 'There is no session "x".' });
  });
});

describe('what a mutation changed', () => {
  it('is its answer, whole', async () => {
    const agent = await api.ask(
      `mutation ($input: CreateAgentInput!) { createAgent(input: $input) { ... on Agent { name description askTimeoutSeconds labelDefinitions { key initial values } policies { id } createdAt updatedAt } } }`,
      { input: { name: ' whole ', description: 'd', askTimeoutSeconds: 60, labelDefinitions: [{ key: 'env', initial: 'dev', values: ['dev', 'prod'] }, { key: 'free' }] } },
    );
    expect(agent).toMatchObject({ name: 'whole', description: 'd', askTimeoutSeconds: 60, labelDefinitions: [{ key: 'env', initial: 'dev', values: ['dev', 'prod'] }, { key: 'free', initial: null, values: null }], policies: [] });
    expect(agent.updatedAt).toBe(agent.createdAt);
  });

  it('an agent: omitted fields stay, null clears, and what cannot be cleared says so', async () => {
    const { id } = await createAgent(api, { name: 'before', description: 'd', askTimeoutSeconds: 60 });
    const update = (input: object) =>
      api.ask('mutation ($input: UpdateAgentInput!) { updateAgent(input: $input) { ... on Agent { name description askTimeoutSeconds } ... on InvalidInputError { issues { path } } } }', { input: { agentId: id, ...input } });
    expect(await update({ name: 'after' })).toEqual({ name: 'after', description: 'd', askTimeoutSeconds: 60 });
    expect(await update({ description: null })).toEqual({ name: 'after', description: null, askTimeoutSeconds: 60 });
    expect(await update({ name: null })).toEqual({ issues: [{ path: ['name'] }] });
  });

  it('a session: its labels are merged, and ending it cancels what is pending', async () => {
    const session = await startSession(api, { name: 'ender', labels: { a: '1', b: '2' }, model: 'm', harness: 'h' });
    await createPolicy(api, { target: { sessionId: session.sessionId } });
    const updated = await api.ask(
      'mutation ($id: ID!) { updateSession(input: { sessionId: $id, title: "t", labels: { b: "3" } }) { ... on Session { title labels model harness state usage { totalTokens totalCostUsd } owner { id } parent { id } endedAt } } }',
      { id: session.sessionId },
    );
    expect(updated).toEqual({ title: 't', labels: { a: '1', b: '3' }, model: 'm', harness: 'h', state: {}, usage: { totalTokens: 0, totalCostUsd: null }, owner: { id: 'local' }, parent: null, endedAt: null });
    const { elicitation } = await evaluate(api, session.sessionId);
    const ended = await api.ask('mutation ($id: ID!) { endSession(input: { sessionId: $id }) { ... on Session { endedAt pendingElicitationCount } } }', { id: session.sessionId });
    expect(ended).toEqual({ endedAt: expect.stringMatching(/Z$/), pendingElicitationCount: 0 });
    expect(await api.ask('query ($id: ID!) { elicitation(id: $id) { status evaluations { verdict decidedBy } } }', { id: elicitation.id })).toEqual({ status: 'CANCELLED', evaluations: [{ verdict: 'DENY', decidedBy: 'CANCELLATION' }] });
    expect(await evaluate(api, session.sessionId)).toMatchObject({ __typename: 'ConflictError' });
    expect(await createSession(api, { agentId: session.agentId, parentId: session.sessionId })).toMatchObject({ __typename: 'ConflictError' });
  });

  it('is seen by the fields of the next mutation in the same document, not a memory of before', async () => {
    const { sessionId: id } = await startSession(api, { name: 'twice' });
    const session = '... on Policy { session { title policies { name } } }';
    const answer = await api.run(
      `mutation ($id: ID!) {
        one: createPolicy(input: { target: { sessionId: $id }, name: "one", handler: "safety.ask_on_os_tools" }) { ${session} }
        rename: updateSession(input: { sessionId: $id, title: "renamed" }) { __typename }
        two: createPolicy(input: { target: { sessionId: $id }, name: "two", handler: "safety.ask_on_os_tools" }) { ${session} }
      }`,
      { id },
    );
    expect(answer.one.session).toEqual({ title: null, policies: [{ name: 'one' }] });
    expect(answer.two.session).toEqual({ title: 'renamed', policies: [{ name: 'one' }, { name: 'two' }] });
  });

  it('many elicitations at once: all of them, or none with the ids at fault', async () => {
    const session = await startSession(api, { name: 'bulk' });
    await createPolicy(api, { target: { sessionId: session.sessionId } });
    const ids: string[] = [];
    for (const command of ['a', 'b']) ids.push((await evaluate(api, session.sessionId, { command })).elicitation.id);
    const document = `mutation ($ids: [ID!]!) { resolveElicitations(input: { ids: $ids, action: DECLINE, comment: "no" }) {
      __typename ... on ResolvedElicitations { elicitations { id status resolution { comment } } } ... on NotFoundError { id } ... on AlreadyResolvedError { message elicitation { id } } } }`;
    expect(await api.ask(document, { ids: [...ids, 'elc_x'] })).toEqual({ __typename: 'NotFoundError', id: 'elc_x' });
    expect(await api.ask(document, { ids: [...ids, ...ids] })).toEqual({ __typename: 'ResolvedElicitations', elicitations: ids.map((id) => ({ id, status: 'DECLINED', resolution: { comment: 'no' } })) });
    const again = await api.ask(document.replace('DECLINE', 'ACCEPT'), { ids });
    expect(again).toMatchObject({ __typename: 'AlreadyResolvedError', message: expect.stringContaining(ids[1] ?? ''), elicitation: { id: ids[0] } });
  });

  it('a withdrawn evaluation, by its id or by session and key', async () => {
    const session = await startSession(api, { name: 'withdrawer' });
    await createPolicy(api, { target: { sessionId: session.sessionId } });
    await evaluate(api, session.sessionId, { idempotencyKey: 'k' });
    const document = 'mutation ($input: WithdrawEvaluationInput!) { withdrawEvaluation(input: $input) { __typename ... on Evaluation { verdict status decidedBy elicitation { status } } ... on InvalidInputError { issues { path } } } }';
    expect(await api.ask(document, { input: {} })).toEqual({ __typename: 'InvalidInputError', issues: [{ path: [] }] });
    expect(await api.ask(document, { input: { sessionId: session.sessionId, idempotencyKey: 'k' } })).toEqual({
      __typename: 'Evaluation',
      verdict: 'DENY',
      status: 'ABANDONED',
      decidedBy: 'CANCELLATION',
      elicitation: { status: 'CANCELLED' },
    });
  });
});
