import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { post } from '../support/post.ts';
import { startKeyedServer, transports, type KeyedServer } from './keyed-server.ts';

let keyed: KeyedServer;
afterEach(() => keyed.remove());

const viewer = '{ viewer { id } }';
const endSession = 'mutation ($id: ID!) { endSession(input: { sessionId: $id }) { __typename ... on Error { message } ... on RateLimitedError { retryAfterSeconds } } }';
const unknown = { id: 'ses_x' };
const resolve = 'mutation { resolveElicitation(input: { elicitationId: "elc_x", action: DECLINE }) { __typename ... on RateLimitedError { retryAfterSeconds } } }';
const withdraw = 'mutation { withdrawEvaluation(input: { evaluationId: "evl_x" }) { __typename } }';
const watch = 'subscription { elicitationRequested { id } }';

const limited = { message: expect.stringMatching(/^Too many calls with this credential: try again in \d+ s\.$/), extensions: { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) } };

describe('a credential with as many subscriptions as it may have', () => {
  it('gets no more on any connection or transport, until one ends', async () => {
    keyed = await startKeyedServer({ limits: { subscriptionsPerCredential: 2 } });
    const [token, other] = [await keyed.key('VIEWER'), await keyed.key('VIEWER')];
    const clients = [1, 2].map(() => createClient({ url: keyed.server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { authorization: `Bearer ${token}` } }));
    const ends = clients.map((client) => client.subscribe({ query: watch }, { next: () => undefined, error: () => undefined, complete: () => undefined }));
    const refused = { errors: [{ message: expect.stringContaining('2 subscriptions'), extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }] };
    const status = (of: string) => openStream(of).then(({ status: code }) => code);
    await expect.poll(() => status(token), { timeout: 5000 }).toBe(429);
    expect(await keyed.send(token, watch, { transport: 'SSE' })).toMatchObject(refused);
    expect(await keyed.send(token, watch, { transport: 'WebSocket' })).toMatchObject(refused);
    expect(await status(other)).toBe(200);
    ends[0]?.();
    await expect.poll(() => status(token), { timeout: 5000 }).toBe(200);
    for (const client of clients) client.terminate();
  });

  async function openStream(token: string): Promise<Response> {
    const gone = new AbortController();
    const response = await post(keyed.server.url, watch, { headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' }, signal: gone.signal });
    gone.abort();
    return response;
  }
});

describe('a credential that is used beyond its rate', () => {
  it('gets a query refused over HTTP with status 429, and when to come again', async () => {
    keyed = await startKeyedServer({ limits: { callsPerMinute: 2 } });
    const token = await keyed.key('VIEWER');
    for (let times = 0; times < 2; times += 1) expect(await keyed.ask(token, viewer)).toEqual({ id: expect.any(String) });
    const response = await post(keyed.server.url, viewer, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(429);
    const { errors } = (await response.json()) as { errors: [{ extensions: { retryAfterSeconds: number } }] };
    expect(errors).toEqual([limited]);
    const seconds = errors[0].extensions.retryAfterSeconds;
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(response.headers.get('retry-after')).toBe(String(seconds));
  });

  it.each(transports)('gets a subscription refused over %s', async (transport) => {
    keyed = await startKeyedServer({ limits: { callsPerMinute: 1 } });
    const token = await keyed.key('VIEWER');
    await keyed.ask(token, viewer);
    if (transport === 'HTTP') return expect((await post(keyed.server.url, viewer, { headers: { authorization: `Bearer ${token}` } })).status).toBe(429);
    return expect(await keyed.send(token, watch, { transport })).toMatchObject({ errors: [limited] });
  });

  it.each(transports)('gets RateLimitedError for a mutation over %s, which is not done', async (transport) => {
    keyed = await startKeyedServer({ limits: { callsPerMinute: 1 } });
    const token = await keyed.key('AGENT');
    expect(await keyed.send(token, endSession, { variables: unknown, transport })).toMatchObject({ data: { endSession: { __typename: 'NotFoundError' } } });
    expect(await keyed.send(token, endSession, { variables: unknown, transport })).toMatchObject({ data: { endSession: { __typename: 'RateLimitedError', retryAfterSeconds: expect.any(Number) } } });
  });

  it.each([
    ['that cannot be parsed', '{ viewer {', {}],
    ['that are not valid', '{ nothing }', {}],
    ['whose variables do not fit', endSession, { id: ['ses_x', 'ses_y'] }],
  ])('has used it up as well by documents %s', async (_what, query, variables) => {
    keyed = await startKeyedServer({ limits: { callsPerMinute: 4 } });
    for (const transport of transports) {
      const token = await keyed.key('AGENT');
      for (let times = 0; times < 3; times += 1) expect(await keyed.send(token, query, { variables, transport })).toMatchObject({ errors: [expect.anything()] });
      expect(await keyed.ask(token, viewer)).toEqual({ id: expect.any(String) });
      expect(await keyed.send(token, viewer)).toMatchObject({ errors: [limited] });
    }
  });

  it('gains nothing from many mutations in one document', async () => {
    keyed = await startKeyedServer({ limits: { callsPerMinute: 3 } });
    const token = await keyed.key('AGENT');
    const many = `mutation { ${['a', 'b', 'c', 'd', 'e'].map((alias) => `${alias}: endSession(input: { sessionId: "x" }) { __typename }`).join(' ')} }`;
    const { data } = await keyed.send(token, many);
    expect(Object.values(data as object).map(({ __typename }) => __typename)).toEqual(['NotFoundError', 'NotFoundError', 'NotFoundError', 'RateLimitedError', 'RateLimitedError']);
  });

  it('leaves every other credential alone, also those of the same owner', async () => {
    keyed = await startKeyedServer({ limits: { callsPerMinute: 1 } });
    const [one, other] = [await keyed.key('AGENT', { owner: 'ann' }), await keyed.key('AGENT', { owner: 'ann' })];
    await keyed.ask(one, viewer);
    expect(await keyed.send(one, viewer)).toMatchObject({ status: 429 });
    expect(await keyed.ask(other, viewer)).toEqual({ id: expect.any(String) });
  });

  it('can still end what it asks for: decisions are counted apart', async () => {
    keyed = await startKeyedServer({ limits: { callsPerMinute: 1, decisionsPerMinute: 2 } });
    const token = await keyed.key('AGENT');
    await keyed.ask(token, viewer);
    expect(await keyed.send(token, viewer)).toMatchObject({ status: 429 });
    expect(await keyed.ask(token, resolve)).toEqual({ __typename: 'NotFoundError' });
    expect(await keyed.ask(token, withdraw)).toEqual({ __typename: 'NotFoundError' });
    expect(await keyed.ask(token, resolve)).toEqual({ __typename: 'RateLimitedError', retryAfterSeconds: expect.any(Number) });
  });
});
