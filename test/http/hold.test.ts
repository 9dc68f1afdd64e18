import { connect } from 'node:net';
import { GraphQLClient } from 'graphql-request';
import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startIdleProxy, type IdleProxy } from '../support/idle-proxy.ts';
import { post } from '../support/post.ts';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';

const quick = { headersAfterSeconds: 0.1, blankEverySeconds: 0.05, pingEverySeconds: 0.1 };
const never = { headersAfterSeconds: 1000, blankEverySeconds: 1000, pingEverySeconds: 1000 };
const hold = 'mutation ($key: String!) { hold(key: $key) }';

let server: SchemaServer;
let proxy: IdleProxy | undefined;
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await server.close();
});

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

describe('a call that is held', () => {
  it('gets status and headers early, then blanks, then the answer, which plain fetch reads as JSON', async () => {
    server = await serveSchema({ keepAlive: quick });
    const response = await post(server.url, hold, { variables: { key: 'a' } }); // resolves with the headers
    const call = await server.held('a');
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(response.headers.has('content-length')).toBe(false);
    expect(response.headers.has('content-encoding')).toBe(false);
    await pause(300);
    call.release('done');
    const text = await response.text();
    expect(text).toMatch(/^ {2,}\{"data":\{"hold":"done"\}\}$/);
    expect(JSON.parse(text)).toEqual({ data: { hold: 'done' } });
  });

  it('that is answered in time is answered as ever', async () => {
    server = await serveSchema({ keepAlive: quick });
    const response = await post(server.url, '{ hello }');
    expect(response.headers.get('content-length')).toBe('26');
    expect(await response.text()).toBe('{"data":{"hello":"hello"}}');
  });

  it('is read by graphql-request', async () => {
    server = await serveSchema({ keepAlive: quick });
    const answer = new GraphQLClient(server.url).request(hold, { key: 'a' });
    const call = await server.held('a');
    await pause(300);
    call.release('done');
    expect(await answer).toEqual({ hold: 'done' });
  });

  it('is read by a client that prefers application/graphql-response+json', async () => {
    server = await serveSchema({ keepAlive: quick });
    const accept = 'application/graphql-response+json, application/json;q=0.9';
    const response = await post(server.url, hold, { variables: { key: 'a' }, headers: { accept } });
    (await server.held('a')).release('done');
    expect(response.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect(await response.json()).toEqual({ data: { hold: 'done' } });
  });

  it('is kept alive by comments for a client that takes only server-sent events', async () => {
    server = await serveSchema({ keepAlive: quick });
    const response = await post(server.url, hold, { variables: { key: 'a' }, headers: { accept: 'text/event-stream' } });
    const call = await server.held('a');
    await pause(200);
    call.release('done');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toMatch(/^(:\n\n){2,}event: next\ndata: \{"data":\{"hold":"done"\}\}\n\nevent: complete\ndata:\n\n$/);
  });

  it('is kept alive while its subscription does not begin', async () => {
    server = await serveSchema({ keepAlive: quick });
    const response = await post(server.url, 'subscription { holds(key: "a") }', { headers: { accept: '*/*' } });
    (await server.held('a')).release('begin');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toContain('data: {"data":{"holds":1}}');
  });

  it('says what went wrong in its body, when its status is gone', async () => {
    server = await serveSchema({ keepAlive: quick });
    const response = await post(server.url, hold, { variables: { key: 'a' } });
    (await server.held('a')).fail(new Error('the password is hunter2'));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ errors: [{ message: expect.stringMatching(/^Unexpected error\. Its log id is /) }] });
  });

  it('outlives a proxy that cuts idle connections, which without blanks it would not', async () => {
    server = await serveSchema({ keepAlive: { ...quick, headersAfterSeconds: 0.05 } });
    proxy = await startIdleProxy(Number(new URL(server.url).port), 200);
    const throughProxy = `http://127.0.0.1:${proxy.port}/graphql`;
    const answer = post(throughProxy, hold, { variables: { key: 'a' } }).then((response) => response.json());
    const call = await server.held('a');
    await pause(1000);
    call.release('done');
    expect(await answer).toEqual({ data: { hold: 'done' } });
    expect(proxy.cut()).toBe(0);
  });

  it('is cut by that proxy when nothing is sent, so that the test above proves something', async () => {
    server = await serveSchema({ keepAlive: never });
    proxy = await startIdleProxy(Number(new URL(server.url).port), 200);
    await expect(post(`http://127.0.0.1:${proxy.port}/graphql`, hold, { variables: { key: 'a' } })).rejects.toThrow('fetch failed');
    expect(proxy.cut()).toBe(1);
    expect((await server.held('a')).signal.aborted).toBe(true);
  });

  it('outlives that proxy over graphql-ws, by pings', async () => {
    server = await serveSchema({ keepAlive: quick });
    proxy = await startIdleProxy(Number(new URL(server.url).port), 300);
    const client = createClient({ url: `ws://127.0.0.1:${proxy.port}/graphql`, webSocketImpl: WebSocket, retryAttempts: 0 });
    const answer = client.iterate({ query: hold, variables: { key: 'a' } }).next();
    const call = await server.held('a');
    await pause(1000);
    call.release('done');
    expect((await answer).value).toEqual({ data: { hold: 'done' } });
    expect(proxy.cut()).toBe(0);
    await client.dispose();
  });

  it('leaves its connection open for the next call', async () => {
    server = await serveSchema({ keepAlive: quick });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    const body = JSON.stringify({ query: hold, variables: { key: 'a' } });
    socket.write(`POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const call = await server.held('a');
    await pause(150);
    call.release('done');
    await expect.poll(() => received).toMatch(/\r\n0\r\n\r\n$/);
    received = '';
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 200 OK[^]*\{"status":"ok"\}$/);
    socket.destroy();
  });
});

describe('the signal of a call whose client goes away', () => {
  it.each([
    ['before headers were sent', never, 50],
    ['during the hold', quick, 300],
  ])('is aborted at once %s', async (_, keepAlive, afterMilliseconds) => {
    server = await serveSchema({ keepAlive });
    const client = new AbortController();
    const answer = post(server.url, hold, { variables: { key: 'a' }, signal: client.signal }).then((response) => response.text());
    answer.catch(() => undefined);
    const call = await server.held('a');
    await pause(afterMilliseconds);
    expect(call.signal.aborted).toBe(false);
    client.abort();
    await expect.poll(() => call.signal.aborted, { timeout: 200, interval: 5 }).toBe(true);
    await expect(answer).rejects.toThrow('aborted');
  });

  it('is aborted when the client closes only its half of the connection', async () => {
    server = await serveSchema({ keepAlive: quick });
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true });
    const body = JSON.stringify({ query: hold, variables: { key: 'a' } });
    socket.write(`POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const call = await server.held('a');
    socket.end();
    await expect.poll(() => call.signal.aborted, { timeout: 200, interval: 5 }).toBe(true);
    socket.destroy();
  });

  it('is not aborted by an answer', async () => {
    server = await serveSchema({ keepAlive: quick });
    const answer = post(server.url, hold, { variables: { key: 'a' } });
    const call = await server.held('a');
    call.release('done');
    await (await answer).text();
    await pause(50);
    expect(call.signal.aborted).toBe(false);
  });

  it('is aborted when the socket of a graphql-ws client closes', async () => {
    server = await serveSchema({ keepAlive: never });
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    client.subscribe({ query: hold, variables: { key: 'a' } }, { next: () => undefined, error: () => undefined, complete: () => undefined });
    const call = await server.held('a');
    client.terminate();
    await expect.poll(() => call.signal.aborted, { timeout: 200, interval: 5 }).toBe(true);
  });

  it('is aborted when a graphql-ws client completes the operation, and that of no other one', async () => {
    server = await serveSchema({ keepAlive: never });
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    const sink = { next: () => undefined, error: () => undefined, complete: () => undefined };
    const complete = client.subscribe({ query: hold, variables: { key: 'a' } }, sink);
    client.subscribe({ query: hold, variables: { key: 'b' } }, sink);
    const [first, second] = await Promise.all([server.held('a'), server.held('b')]);
    complete();
    await expect.poll(() => first.signal.aborted, { timeout: 200, interval: 5 }).toBe(true);
    expect(second.signal.aborted).toBe(false);
    await client.dispose();
  });
});

describe('timers', () => {
  it('are cleared when the answer is sent and when the client goes away', async () => {
    server = await serveSchema({ keepAlive: { ...quick, headersAfterSeconds: 0.01 } });
    const before = timers();
    const calls = Array.from({ length: 20 }, (_, index) => {
      const client = new AbortController();
      const answer = post(server.url, hold, { variables: { key: String(index) }, signal: client.signal }).then((response) => response.text());
      return { client, answer, index };
    });
    for (const { client, answer, index } of calls) {
      const call = await server.held(String(index));
      await pause(20);
      if (index % 2 === 0) client.abort();
      else call.release('done');
      await answer.catch(() => undefined);
    }
    await expect.poll(() => timers()).toBeLessThanOrEqual(before + 1);
  });
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}
