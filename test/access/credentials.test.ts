import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { ApiKeySchema } from '../../src/entities/api-key.entity.ts';
import { revokeApiKey } from '../../src/gate/revoke-api-key.ts';
import { eventually } from '../support/journey.ts';
import { system } from '../../src/entities/principal.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { startKeyedServer, type KeyedServer, type Wire } from './keyed-server.ts';

let keyed: KeyedServer | null = null;
let bare: TestServer | null = null;
afterEach(async () => {
  await keyed?.remove();
  await bare?.remove();
  keyed = bare = null;
});

const createAgent = 'mutation ($input: CreateAgentInput!) { createAgent(input: $input) { ... on Agent { id } ... on Error { message } } }';
const createSession = 'mutation ($input: CreateSessionInput!) { createSession(input: $input) { __typename ... on Session { id owner { id } } ... on Error { message } } }';
const createPolicy = 'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { ... on Policy { id } ... on Error { message } } }';
const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename ... on Evaluation { id verdict elicitation { id } } ... on Error { message } } }';
const resolve = 'mutation ($input: ResolveElicitationInput!) { resolveElicitation(input: $input) { __typename ... on Elicitation { status } ... on Error { message } } }';
const may = 'query ($id: ID!) { elicitation(id: $id) { viewerCanResolve viewerCannotResolveReason } }';
const event = { toolCall: { name: 'Bash', arguments: { command: 'ls' } } };

async function idOf(token: string, name: string): Promise<string> {
  const { edges } = await keyed?.ask(token, '{ apiKeys { edges { node { id name } } } }');
  return edges.find(({ node }: Wire) => node.name === name).node.id;
}

/** An agent of this name whose OS tools ask, and an open ask in a session of this token's. */
async function ask({ ask: send, key }: KeyedServer, token: string, agentName = 'agent'): Promise<{ session: string; elicitation: string }> {
  const admin = await key('ADMIN');
  const { id: agentId } = await send(admin, createAgent, { input: { name: agentName } });
  await send(admin, createPolicy, { input: { target: { agentId }, name: 'os', handler: 'safety.ask_on_os_tools' } });
  const { id: session } = await send(token, createSession, { input: { agentId } });
  const { elicitation } = await send(token, evaluate, { input: { sessionId: session, event, waitSeconds: 0 } });
  return { session, elicitation: elicitation.id };
}

describe('a server without keys', () => {
  it('has one local user, who may accept what he asks for, until the first key is made, then lets nobody in without one', async () => {
    bare = await startTestServer();
    const { url } = bare;
    const viewer = async (headers?: Record<string, string>) => (await (await post(url, '{ viewer { kind id } viewerRoles }', headers ? { headers } : {})).json());
    expect(await viewer()).toEqual({ data: { viewer: { kind: 'USER', id: 'local' }, viewerRoles: ['ADMIN'] } });
    const client = createClient({ url: bare.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    const closed = new Promise<{ code: number }>((done) => client.on('closed', (event) => done(event as { code: number })));
    const watching = client.iterate({ query: 'subscription { elicitationRequested { id } }' }).next();
    watching.catch(() => undefined);

    const created = (await (await post(url, 'mutation { createApiKey(input: { name: "root", role: ADMIN }) { ... on CreatedApiKey { token key { role owner { id } } } } }')).json());
    const { token, key } = created.data.createApiKey;
    expect(key).toEqual({ role: 'ADMIN', owner: { id: 'root' } });
    expect((await closed).code).toBe(4401);
    await eventually(async () => (await viewer()).errors?.[0].extensions.code === 'UNAUTHENTICATED');
    expect(await viewer({ authorization: `Bearer ${token}` })).toEqual({ data: { viewer: { kind: 'USER', id: 'root' }, viewerRoles: ['ADMIN'] } });
  });

  it('takes no token for the local user', async () => {
    bare = await startTestServer();
    expect((await post(bare.url, '{ viewer { id } }', { headers: { authorization: 'Bearer csk_x' } })).status).toBe(401);
    expect((await post(bare.url, '{ viewer { id } }', { headers: { authorization: 'Basic bG9jYWw6' } })).status).toBe(401);
  });
});

describe('a key', () => {
  it('is nowhere in the database but as a hash', async () => {
    keyed = await startKeyedServer();
    const token = await keyed.key('APPROVER');
    await keyed.ask(token, '{ viewer { id } }');
    const reader = await openDatabase(keyed.server.config.database);
    const rows = await reader.em.fork().find(ApiKeySchema, {});
    await reader.close();
    expect(JSON.stringify(rows)).not.toContain(token.slice(12));
    expect(rows.at(-1)?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('opens nothing once it is revoked; what it watches ends: a WebSocket with 4401, a stream of events with an error', async () => {
    keyed = await startKeyedServer();
    const { server } = keyed;
    const admin = await keyed.key('ADMIN');
    const token = await keyed.key('VIEWER', { name: 'watcher' });
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { Authorization: `Bearer ${token}` } });
    const closed = new Promise<{ code: number }>((done) => client.on('closed', (event) => done(event as { code: number })));
    const acknowledged = new Promise((done) => client.on('connected', done));
    client.iterate({ query: 'subscription { elicitationRequested { id } }' }).next().catch(() => undefined);
    await acknowledged;
    const stream = await post(server.url, 'subscription { elicitationRequested { id } }', { headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' } });
    const streamed = stream.text();

    const since = performance.now();
    const { status } = await keyed.ask(admin, 'mutation ($id: ID!) { revokeApiKey(input: { keyId: $id }) { __typename ... on ApiKey { revokedAt } } }', { id: await idOf(admin, 'watcher') }).then((key) => ({ status: key.__typename }));
    expect(status).toBe('ApiKey');
    expect((await closed).code).toBe(4401);
    expect(await streamed).toContain('"code":"UNAUTHENTICATED"');
    expect(performance.now() - since).toBeLessThan(5000);
    expect(await keyed.send(token, '{ viewer { id } }')).toMatchObject({ status: 401 });
  });

  it('opens nothing once it has expired, and what it watches ends', async () => {
    keyed = await startKeyedServer();
    const token = await keyed.key('VIEWER', { expiresAt: new Date(Date.now() + 1500) });
    const stream = await post(keyed.server.url, 'subscription { elicitationRequested { id } }', { headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' } });
    expect(await stream.text()).toContain('"code":"UNAUTHENTICATED"');
    expect(await keyed.send(token, '{ viewer { id } }')).toMatchObject({ status: 401 });
  });

  it('ends for everyone when it is revoked by the file, past the server', async () => {
    keyed = await startKeyedServer();
    const token = await keyed.key('VIEWER', { name: 'elsewhere' });
    await keyed.ask(token, '{ viewer { id } }');
    const other = await openDatabase(keyed.server.config.database);
    const key = await other.em.fork().findOneOrFail(ApiKeySchema, { name: 'elsewhere' });
    await revokeApiKey({ em: other.em.fork(), now: () => new Date(), principal: system }, { keyId: key.id });
    await other.close();
    await eventually(async () => (await keyed?.send(token, '{ viewer { id } }'))?.status === 401);
  });

  it('tells when it was last used', async () => {
    keyed = await startKeyedServer();
    const admin = await keyed.key('ADMIN', { name: 'used' });
    await eventually(async () => (await keyed?.ask(admin, '{ apiKeys { edges { node { name lastUsedAt } } } }')).edges.some(({ node }: Wire) => node.name === 'used' && node.lastUsedAt !== null));
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ owner: 'local' }, 'owner'],
    [{ owner: 'system' }, 'owner'],
    [{ agents: [] }, 'agents'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ])('is not made with %j', async (wrong, field) => {
    keyed = await startKeyedServer();
    const input = { name: 'x', role: 'APPROVER', ...wrong };
    const answer = await keyed.ask(await keyed.key('ADMIN'), 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { __typename ... on InvalidInputError { issues { path } } } }', { input });
    expect(answer).toMatchObject({ __typename: 'InvalidInputError', issues: [{ path: [field] }] });
  });
});

describe('what an agent asks for', () => {
  it('is accepted neither by its key, nor by its owner, whatever key of his he uses, but by somebody else', async () => {
    keyed = await startKeyedServer();
    const agent = await keyed.key('AGENT', { owner: 'ann' });
    const { elicitation } = await ask(keyed, agent);
    const accept = { input: { elicitationId: elicitation, action: 'ACCEPT' } };
    for (const token of [agent, await keyed.key('APPROVER', { owner: 'ann' }), await keyed.key('ADMIN', { owner: 'ann' })]) {
      expect(await keyed.ask(token, resolve, accept)).toMatchObject({ __typename: 'ForbiddenError' });
      expect(await keyed.ask(token, may, { id: elicitation })).toMatchObject({ viewerCanResolve: false, viewerCannotResolveReason: expect.any(String) });
    }
    const bob = await keyed.key('APPROVER', { owner: 'bob' });
    expect(await keyed.ask(bob, may, { id: elicitation })).toEqual({ viewerCanResolve: true, viewerCannotResolveReason: null });
    expect(await keyed.ask(bob, resolve, accept)).toEqual({ __typename: 'Elicitation', status: 'ACCEPTED' });
  });

  it('is declined by its own key and by its owner', async () => {
    keyed = await startKeyedServer();
    const agent = await keyed.key('AGENT', { owner: 'ann' });
    const first = await ask(keyed, agent, 'first');
    const second = await ask(keyed, agent, 'second');
    expect(await keyed.ask(agent, resolve, { input: { elicitationId: first.elicitation, action: 'DECLINE' } })).toMatchObject({ status: 'DECLINED' });
    expect(await keyed.ask(await keyed.key('APPROVER', { owner: 'ann' }), resolve, { input: { elicitationId: second.elicitation, action: 'CANCEL' } })).toMatchObject({ status: 'CANCELLED' });
  });

  it('is accepted by its owner where the configuration allows it, and by its own key never', async () => {
    keyed = await startKeyedServer({ allowSelfApproval: true });
    const agent = await keyed.key('AGENT', { owner: 'ann' });
    const { elicitation } = await ask(keyed, agent);
    const accept = { input: { elicitationId: elicitation, action: 'ACCEPT' } };
    expect(await keyed.ask(agent, resolve, accept)).toMatchObject({ __typename: 'ForbiddenError' });
    expect(await keyed.ask(await keyed.key('APPROVER', { owner: 'ann' }), resolve, accept)).toMatchObject({ status: 'ACCEPTED' });
  });
});

describe('what is not visible', () => {
  const seen = 'query ($session: ID!, $elicitation: ID!) { session(id: $session) { id } elicitation(id: $elicitation) { id } node(id: $session) { id } sessions { edges { node { id } } } elicitations { edges { node { id } } } }';
  const nothing = { session: null, elicitation: null, node: null, sessions: { edges: [] }, elicitations: { edges: [] } };

  it("is not there for another owner's agent: not to read, not to watch, not to use", async () => {
    keyed = await startKeyedServer();
    const { session, elicitation } = await ask(keyed, await keyed.key('AGENT', { owner: 'ann' }));
    const stranger = await keyed.key('AGENT', { owner: 'eve' });
    expect((await keyed.send(stranger, seen, { variables: { session, elicitation } })).data).toEqual(nothing);
    expect(await keyed.send(stranger, 'subscription ($id: ID!) { elicitationRequested(sessionId: $id) { id } }', { variables: { id: session }, transport: 'WebSocket' })).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    const uses: [string, object][] = [
      [evaluate, { sessionId: session, event, waitSeconds: 0 }],
      [resolve, { elicitationId: elicitation, action: 'DECLINE' }],
      ['mutation ($input: EndSessionInput!) { endSession(input: $input) { __typename } }', { sessionId: session }],
      ['mutation ($input: UpdateSessionInput!) { updateSession(input: $input) { __typename } }', { sessionId: session, title: 'mine' }],
      ['mutation ($input: RecordUsageInput!) { recordUsage(input: $input) { __typename } }', { sessionId: session, costUsd: 1 }],
      ['mutation ($input: ResolveElicitationsInput!) { resolveElicitations(input: $input) { __typename } }', { ids: [elicitation], action: 'CANCEL' }],
    ];
    for (const [document, input] of uses) expect(await keyed.ask(stranger, document, { input })).toMatchObject({ __typename: 'NotFoundError' });
  });

  it('is not there for an approver whose reach ends before: other agents, or sessions that are not his own', async () => {
    keyed = await startKeyedServer();
    const agent = await keyed.key('AGENT', { owner: 'ann' });
    const { session, elicitation } = await ask(keyed, agent, 'deploy bot');
    const variables = { session, elicitation };
    for (const reach of [{ agents: ['review *', 'deploy'] }, { agents: ['DEPLOY *'] }, { ownSessionsOnly: true }]) {
      const token = await keyed.key('APPROVER', { owner: 'bob', ...reach });
      expect((await keyed.send(token, seen, { variables })).data).toEqual(nothing);
      expect(await keyed.ask(token, resolve, { input: { elicitationId: elicitation, action: 'ACCEPT' } })).toMatchObject({ __typename: 'NotFoundError' });
    }
    for (const reach of [{ agents: ['deploy *'] }, { agents: ['x', '*bot'] }, { agents: ['d*y*t'] }]) {
      const token = await keyed.key('APPROVER', { owner: 'bob', ...reach });
      expect((await keyed.send(token, seen, { variables })).data).toMatchObject({ session: { id: session }, elicitations: { edges: [{ node: { id: elicitation } }] } });
    }
  });

  it('is not pushed to a watcher, before or after', async () => {
    keyed = await startKeyedServer();
    const ann = await keyed.key('AGENT', { owner: 'ann' });
    await ask(keyed, ann, 'before');
    const eve = await keyed.key('AGENT', { owner: 'eve' });
    const watching = keyed.send(eve, 'subscription { elicitationRequested { session { agent { name } } } }', { transport: 'WebSocket' });
    await ask(keyed, ann, 'meanwhile');
    await ask(keyed, eve, 'her own');
    expect(await watching).toEqual({ data: { elicitationRequested: { session: { agent: { name: 'her own' } } } } });
  });

  it('starts no session: of an agent beyond the reach of the key, or below a session of another', async () => {
    keyed = await startKeyedServer();
    const { session } = await ask(keyed, await keyed.key('AGENT', { owner: 'ann' }), 'strict');
    const admin = await keyed.key('ADMIN');
    const { id: lax } = await keyed.ask(admin, createAgent, { input: { name: 'lax' } });
    const bound = await keyed.key('AGENT', { owner: 'eve', agents: ['strict'] });
    expect(await keyed.ask(bound, createSession, { input: { agentId: lax } })).toMatchObject({ __typename: 'NotFoundError' });
    const free = await keyed.key('AGENT', { owner: 'eve' });
    expect(await keyed.ask(free, createSession, { input: { agentId: lax, parentId: session } })).toMatchObject({ __typename: 'NotFoundError' });
    expect(await keyed.ask(free, createSession, { input: { agentId: lax } })).toMatchObject({ __typename: 'Session', owner: { id: 'eve' } });
  });
});
