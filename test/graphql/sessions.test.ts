import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type Api, type Wire } from './api.ts';
import { createPolicy, createSession, evaluate, resolve, startSession } from './journey.ts';

let api: Api;
let agentId: string;
let otherAgentId: string;
/** root › child › grandchild of one agent, and a session of another. */
const ids: Record<'root' | 'child' | 'grandchild' | 'other', string> = { root: '', child: '', grandchild: '', other: '' };

beforeAll(async () => {
  api = await openApi();
  ({ agentId, sessionId: ids.root } = await startSession(api, { name: 'coder', title: 'Fix 100% of_it' }));
  ids.child = (await createSession(api, { agentId, parentId: ids.root, title: 'Write the FIX' })).id;
  ids.grandchild = (await createSession(api, { agentId, parentId: ids.child })).id;
  ({ agentId: otherAgentId, sessionId: ids.other } = await startSession(api, { name: 'writer', title: 'a\\b Ärger' }));
  await createPolicy(api, { target: { server: true } });
});

afterAll(() => api.close());

async function sessions(filter: object): Promise<string[]> {
  const { edges } = await api.ask('query ($filter: SessionFilter) { sessions(filter: $filter) { edges { node { id } } } }', { filter });
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return edges.map(({ node }: Wire) => names.get(node.id)).sort();
}

describe('sessions', () => {
  it('are all of them without a filter, and with an empty one', async () => {
    expect(await sessions({})).toEqual(['child', 'grandchild', 'other', 'root']);
    expect(await sessions({ agentId: null, parentId: null, open: null, hasPending: null, search: null })).toHaveLength(4);
  });

  it('are found by agent, and by the session that started them', async () => {
    expect(await sessions({ agentId: otherAgentId })).toEqual(['other']);
    expect(await sessions({ parentId: ids.root })).toEqual(['child']);
    expect(await sessions({ parentId: ids.root, agentId: otherAgentId })).toEqual([]);
  });

  it('are none for an id that nothing has, or that is none', async () => {
    expect(await sessions({ agentId: ids.root })).toEqual([]);
    expect(await sessions({ parentId: '\0' })).toEqual([]);
  });

  it.each([
    ['fix', ['child', 'root']],
    ['  FIX ', ['child', 'root']],
    ['100%', ['root']],
    ['%', ['root']],
    ['_', ['root']],
    ['of_it', ['root']],
    ['\\', ['other']],
    ['Ärger', ['other']],
    ["'", []],
    [' ', ['child', 'grandchild', 'other', 'root']],
  ])('are found by the part %j of their title', async (search, found) => {
    expect(await sessions({ search })).toEqual(found);
  });

  it('are found by their whole id', async () => {
    expect(await sessions({ search: ids.grandchild })).toEqual(['grandchild']);
    expect(await sessions({ search: ids.grandchild.slice(0, -1) })).toEqual([]);
  });

  it('are found by what waits in them or below them, until it is decided', async () => {
    expect(await sessions({ hasPending: true })).toEqual([]);
    const { elicitation } = await evaluate(api, ids.child);
    expect(await sessions({ hasPending: true })).toEqual(['child', 'root']);
    expect(await sessions({ hasPending: false })).toEqual(['grandchild', 'other']);
    expect(await sessions({ hasPending: true, search: 'write' })).toEqual(['child']);
    const counts = await api.run('{ ' + Object.entries(ids).map(([name, id]) => `${name}: session(id: "${id}") { pendingElicitationCount }`).join(' ') + ' }');
    expect(counts).toEqual({ root: { pendingElicitationCount: 1 }, child: { pendingElicitationCount: 1 }, grandchild: { pendingElicitationCount: 0 }, other: { pendingElicitationCount: 0 } });
    await resolve(api, { elicitationId: elicitation.id, action: 'DECLINE' });
    expect(await sessions({ hasPending: true })).toEqual([]);
  });

  it('no longer wait for what has expired, even before anything has settled it', async () => {
    await evaluate(api, ids.other);
    expect(await sessions({ hasPending: true })).toEqual(['other']);
    const document = '{ sessions(filter: { hasPending: true }) { edges { node { id } } } elicitations(filter: { status: EXPIRED }) { edges { node { status evaluations { status verdict } } } } }';
    expect(await api.run(document, {}, { secondsLater: 86_401 })).toEqual({
      sessions: { edges: [] },
      elicitations: { edges: [{ node: { status: 'EXPIRED', evaluations: [{ status: 'AWAITING_APPROVAL', verdict: 'ASK' }] } }] },
    });
  });

  it('are found by whether they have ended', async () => {
    await api.ask('mutation ($id: ID!) { endSession(input: { sessionId: $id }) { ... on Session { endedAt } } }', { id: ids.child });
    expect(await sessions({ open: false })).toEqual(['child', 'grandchild']);
    expect(await sessions({ open: true })).toEqual(['other', 'root']);
    expect(await sessions({ open: true, agentId })).toEqual(['root']);
  });

  it('can be read page by page under a filter', async () => {
    const document = 'query ($after: String) { sessions(first: 1, after: $after, filter: { search: "i", agentId: "' + agentId + '" }) { edges { node { title } } pageInfo { hasNextPage hasPreviousPage endCursor } } }';
    const first = await api.ask(document);
    const second = await api.ask(document, { after: first.pageInfo.endCursor });
    expect([first, second].map(({ edges }) => edges[0].node.title)).toEqual(['Write the FIX', 'Fix 100% of_it']);
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });
});
