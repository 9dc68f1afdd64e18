import { afterEach, describe, expect, it } from 'vitest';
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
