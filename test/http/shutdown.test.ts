import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { post } from '../support/post.ts';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';

const hold = 'mutation ($key: String!) { hold(key: $key) }';
const quick = { headersAfterSeconds: 0.05, blankEverySeconds: 0.05, pingEverySeconds: 1 };

let server: SchemaServer;
afterEach(() => server.close());

describe('a shutdown', () => {
  it('answers a call that is held, on a connection that then closes', async () => {
    server = await serveSchema();
    const answer = post(server.url, hold, { variables: { key: 'a' } });
    const call = await server.held('a');
    server.drain();
    call.release('in time');
    const response = await answer;
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toEqual({ data: { hold: 'in time' } });
  });

  it('answers 60 held calls of each kind, and none sees a reset', async () => {
    server = await serveSchema({ keepAlive: quick, shutdownSeconds: 10 });
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    const closed = new Promise((resolve) => client.on('closed', resolve));
    const keys = Array.from({ length: 60 }, (_, index) => index);
    const http = keys.map((key) => post(server.url, hold, { variables: { key: `h${key}` } }).then((response) => response.json()));
    const ws = keys.map((key) => client.iterate({ query: hold, variables: { key: `w${key}` } }).next());
    const calls = await Promise.all(keys.flatMap((key) => [server.held(`h${key}`), server.held(`w${key}`)]));
    await new Promise((resolve) => setTimeout(resolve, 100)); // half way into the hold
    server.drain();
    const closing = server.close();
    for (const call of calls) call.release('in time');
    for (const answer of http) expect(await answer).toEqual({ data: { hold: 'in time' } });
    for (const answer of ws) expect((await answer).value).toEqual({ data: { hold: 'in time' } });
    expect(await closed).toMatchObject({ code: 1001, reason: 'Going away' });
    await closing;
  });

  it('closes subscriptions without saying that they are complete, so that clients come back', async () => {
    server = await serveSchema();
    const events = await post(server.url, 'subscription { forever }', { headers: { accept: 'text/event-stream' } });
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    const iterator = client.iterate({ query: 'subscription { forever }' });
    await iterator.next();
    const ended = iterator.next().catch((error: unknown) => error);
    await expect.poll(() => server.running()).toBe(2);
    await server.close();
    expect(await events.text()).not.toContain('complete');
    expect(await ended).toMatchObject({ code: 1001 });
    await expect.poll(() => server.running()).toBe(0);
  });

  it('ends a subscription over server-sent events that only begins now', async () => {
    server = await serveSchema({ shutdownSeconds: 10, keepAlive: quick });
    const events = await post(server.url, 'subscription { holds(key: "a") }', { headers: { accept: 'text/event-stream' } });
    const call = await server.held('a');
    server.drain();
    const since = performance.now();
    const closing = server.close();
    call.release('begin');
    expect(await events.text()).not.toContain('complete');
    await closing;
    expect(performance.now() - since).toBeLessThan(2000);
  });

  it('refuses new connections at once', async () => {
    server = await serveSchema();
    const answer = post(server.url, hold, { variables: { key: 'a' } });
    const call = await server.held('a');
    server.drain();
    await expect(fetch(`${server.baseUrl}/healthz`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    call.release('in time');
    expect((await answer).status).toBe(200);
  });

  it('cuts what is left after shutdownSeconds', async () => {
    server = await serveSchema({ shutdownSeconds: 0.3 });
    const answer = post(server.url, hold, { variables: { key: 'a' } });
    answer.catch(() => undefined);
    const call = await server.held('a');
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    const over = client.iterate({ query: hold, variables: { key: 'b' } }).next();
    over.catch(() => undefined);
    await server.held('b');
    const since = performance.now();
    await server.close();
    expect(performance.now() - since).toBeGreaterThan(250);
    expect(performance.now() - since).toBeLessThan(2000);
    await expect(answer).rejects.toThrow('fetch failed');
    await expect(over).rejects.toMatchObject({ code: 1006 });
    expect(call.signal.aborted).toBe(true);
  });

  it('of an idle server takes no time, though clients keep connections open', async () => {
    server = await serveSchema({ shutdownSeconds: 10 });
    await (await post(server.url, '{ hello }')).text();
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, lazy: false, retryAttempts: 0, onNonLazyError: () => undefined });
    await new Promise((resolve) => client.on('connected', resolve));
    const since = performance.now();
    await server.close();
    expect(performance.now() - since).toBeLessThan(1000);
  });

  it('twice is one', async () => {
    server = await serveSchema();
    await Promise.all([server.close(), server.close()]);
  });
});
