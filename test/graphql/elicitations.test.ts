import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type Api, type Wire } from './api.ts';
import { createPolicy, createSession, evaluate, resolve, startSession } from './journey.ts';

let api: Api;
let agentId: string;
let sessionId: string;
let childId: string;
/** The elicitation in each status. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  api = await openApi();
  ({ agentId, sessionId } = await startSession(api, { title: 'work' }));
  childId = (await createSession(api, { agentId, parentId: sessionId })).id;
  await createPolicy(api, { target: { agentId }, askTimeoutSeconds: 3600 });
  const raise = async (command: string, session = sessionId) => (await evaluate(api, session, { command })).elicitation.id as string;
  ids['EXPIRED'] = await raise('expires');
  await api.pass(3601);
  for (const status of ['ACCEPTED', 'DECLINED', 'CANCELLED', 'PENDING']) ids[status] = await raise(`is ${status}`);
  ids['PENDING in the child'] = await raise('waits', childId);
  const answers = { ACCEPTED: 'ACCEPT', DECLINED: 'DECLINE', CANCELLED: 'CANCEL' };
  for (const [status, action] of Object.entries(answers)) await resolve(api, { elicitationId: ids[status] ?? '', action, comment: ` ${action} it ` });
});

afterAll(() => api.close());

async function elicitations(filter: object): Promise<string[]> {
  const { edges } = await api.ask('query ($filter: ElicitationFilter) { elicitations(filter: $filter) { edges { node { id } } } }', { filter });
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return edges.map(({ node }: Wire) => names.get(node.id)).sort();
}

describe('elicitations', () => {
  it('are found by where they stand', async () => {
    for (const status of ['ACCEPTED', 'DECLINED', 'CANCELLED', 'EXPIRED']) expect(await elicitations({ status })).toEqual([status]);
    expect(await elicitations({ status: 'PENDING' })).toEqual(['PENDING', 'PENDING in the child']);
    expect(await elicitations({})).toHaveLength(6);
  });

  it('are found by session, by agent and by time', async () => {
    expect(await elicitations({ status: 'PENDING', sessionId })).toEqual(['PENDING']);
    expect(await elicitations({ sessionId: childId })).toEqual(['PENDING in the child']);
    expect(await elicitations({ agentId })).toHaveLength(6);
    expect(await elicitations({ agentId: sessionId })).toEqual([]);
    const { requestedAt } = await api.ask('query ($id: ID!) { elicitation(id: $id) { requestedAt } }', { id: ids['EXPIRED'] });
    expect(await elicitations({ requestedAfter: requestedAt })).not.toContain('EXPIRED');
    expect(await elicitations({ requestedAfter: requestedAt })).toHaveLength(5);
    expect(await elicitations({ requestedAfter: new Date(Date.parse(requestedAt) - 1).toISOString().replace('Z', '+00:00') })).toHaveLength(6);
  });

  it('come newest first', async () => {
    const { edges } = await api.ask('{ elicitations { edges { node { id } } } }');
    const given = edges.map(({ node }: Wire) => node.id);
    expect(given).toEqual(given.toSorted().reverse());
  });
});

describe('an elicitation', () => {
  it('shows all that an approver needs', async () => {
    const shown = await api.ask(
      `query ($id: ID!) { elicitation(id: $id) {
        id status message phase policyNames contentPreview event digest requestedSchema url requestedAt expiresAt
        session { id title agent { id name } } evaluations { id verdict elicitation { id } } resolution { action }
      } }`,
      { id: ids['PENDING'] },
    );
    expect(shown).toMatchObject({
      id: ids['PENDING'],
      status: 'PENDING',
      message: expect.stringContaining('os tools: '),
      phase: 'TOOL_CALL',
      policyNames: ['os tools'],
      contentPreview: expect.stringContaining('is PENDING'),
      event: { type: 'tool_call', target: 'Bash', data: { name: 'Bash', arguments: { command: 'is PENDING' } } },
      requestedSchema: {},
      url: `http://127.0.0.1:4000/elicitations/${ids['PENDING']}`,
      session: { id: sessionId, title: 'work', agent: { id: agentId, name: 'coder' } },
      evaluations: [{ verdict: 'ASK', elicitation: { id: ids['PENDING'] } }],
      resolution: null,
    });
    expect(Date.parse(shown.expiresAt) - Date.parse(shown.requestedAt)).toBe(3_600_000);
    expect(shown.requestedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(shown.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('shows its resolution: by whom, when and why', async () => {
    const document = 'query ($id: ID!) { elicitation(id: $id) { resolution { action content comment editedArguments by { kind id name } at } } }';
    const { resolution } = await api.ask(document, { id: ids['DECLINED'] });
    expect(resolution).toEqual({ action: 'DECLINE', content: null, comment: 'DECLINE it', editedArguments: null, by: { kind: 'USER', id: 'local', name: 'Local user' }, at: expect.stringMatching(/Z$/) });
    expect(await api.ask(document, { id: ids['EXPIRED'] })).toEqual({ resolution: null });
  });
});

describe('a session', () => {
  it('shows what waits in it first, then what waits below it', async () => {
    const document = 'query ($id: ID!, $all: Boolean) { session(id: $id) { pendingElicitations(includeDescendants: $all) { id } } }';
    const withChild = [{ id: ids['PENDING'] }, { id: ids['PENDING in the child'] }];
    expect(await api.ask('query ($id: ID!) { session(id: $id) { pendingElicitations { id } } }', { id: sessionId })).toEqual({ pendingElicitations: withChild });
    expect(await api.ask(document, { id: sessionId, all: null })).toEqual({ pendingElicitations: withChild });
    expect(await api.ask(document, { id: sessionId, all: false })).toEqual({ pendingElicitations: [{ id: ids['PENDING'] }] });
  });

  it('shows its own evaluations, newest first', async () => {
    const { evaluations } = await api.ask('query ($id: ID!) { session(id: $id) { evaluations(first: 2) { edges { node { event } } pageInfo { hasNextPage } } } }', { id: sessionId });
    expect(evaluations.edges.map(({ node }: Wire) => node.event.data.arguments.command)).toEqual(['is PENDING', 'is CANCELLED']);
    expect(evaluations.pageInfo.hasNextPage).toBe(true);
  });
});
