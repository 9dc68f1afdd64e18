import { getEventListeners } from 'node:events';
import type { FormattedExecutionResult } from 'graphql';
import { createClient, type Client } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { localUser } from '../../src/entities/principal.ts';
import { fullAccess } from '../../src/gate/access.ts';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';

let server: SchemaServer;
const clients: Client[] = [];
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
  for (const socket of sockets.splice(0)) socket.terminate();
  await server.close();
});

function client(options: Partial<Parameters<typeof createClient>[0]> = {}): Client {
  const made = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0, ...options });
  clients.push(made);
  return made;
}

async function results(made: Client, query: string, variables: Record<string, unknown> = {}) {
  const all: Pick<FormattedExecutionResult, 'data' | 'errors'>[] = [];
  for await (const result of made.iterate({ query, variables })) all.push(result as FormattedExecutionResult);
  return all;
}

/** A client without manners. */
async function raw(path = '/graphql', { protocols = ['graphql-transport-ws'], headers = {} }: { protocols?: string[]; headers?: Record<string, string> } = {}) {
  const socket = new WebSocket(server.wsUrl.replace('/graphql', path), protocols, { headers });
  sockets.push(socket);
  const messages: Record<string, unknown>[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })));
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { socket, messages, closed, send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)) };
}

async function connected() {
  const made = await raw();
  made.send({ type: 'connection_init' });
  await expect.poll(() => made.messages).toEqual([{ type: 'connection_ack' }]);
  made.messages.length = 0;
  return made;
}

describe('over graphql-ws', () => {
  it('queries, mutates and subscribes', async () => {
    server = await serveSchema();
    expect(await results(client(), '{ hello }')).toEqual([{ data: { hello: 'hello' } }]);
    expect(await results(client(), 'query ($text: String!) { echo(text: $text) }', { text: 'ä' })).toEqual([{ data: { echo: 'ä' } }]);
    expect(await results(client(), 'subscription { count(to: 3) }')).toEqual([1, 2, 3].map((count) => ({ data: { count } })));
  });

  it('answers many calls at once, each when it is there', async () => {
    server = await serveSchema();
    const made = client();
    const answers = ['a', 'b', 'c'].map((key) => made.iterate({ query: 'mutation ($key: String!) { hold(key: $key) }', variables: { key } }).next());
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((key) => server.held(key)));
    c?.release('third');
    expect((await answers[2])?.value).toEqual({ data: { hold: 'third' } });
    a?.release('first');
    b?.release('second');
    expect((await answers[0])?.value).toEqual({ data: { hold: 'first' } });
    expect((await answers[1])?.value).toEqual({ data: { hold: 'second' } });
  });

  it('leaves nothing of a connection behind with its credential, nor of one that went away while it was let in', async () => {
    const { signal: ended } = new AbortController();
    const { promise: admission, resolve: admit } = Promise.withResolvers<undefined>();
    let isSlow = false;
    server = await serveSchema({}, {
      async authenticate() {
        if (isSlow) await admission;
        return { credential: 'local', principal: localUser, access: { ...fullAccess(localUser), ended } };
      },
    });
    const listeners = () => getEventListeners(ended, 'abort').length;
    for (let count = 0; count < 20; count += 1) (await connected()).socket.close();
    await connected();
    await expect.poll(listeners).toBe(1);
    isSlow = true;
    const impatient = await raw();
    impatient.send({ type: 'connection_init' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    impatient.socket.terminate();
    await impatient.closed;
    await new Promise((resolve) => setTimeout(resolve, 100));
    admit(undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(listeners()).toBe(1);
  });

  it('ends a subscription when its client completes it, and when its client goes away', async () => {
    server = await serveSchema();
    const made = client();
    const first = made.iterate({ query: 'subscription { forever }' });
    const second = made.iterate({ query: 'subscription { forever }' });
    expect((await first.next()).value).toEqual({ data: { forever: 1 } });
    expect((await second.next()).value).toEqual({ data: { forever: 1 } });
    expect(server.running()).toBe(2);
    await first.return?.();
    await expect.poll(() => server.running()).toBe(1);
    made.terminate();
    await expect.poll(() => server.running()).toBe(0);
  });

  it('leaves nothing running of 200 subscriptions, however they end', async () => {
    server = await serveSchema();
    for (let round = 0; round < 10; round += 1) {
      const made = client();
      const all = Array.from({ length: 20 }, () => made.iterate({ query: 'subscription { forever }' }));
      await Promise.all(all.map((one) => one.next()));
      if (round % 2 === 0) for (const one of all) await one.return?.();
      else made.terminate();
    }
    await expect.poll(() => server.running()).toBe(0);
  });
});

describe('errors over graphql-ws', () => {
  it('that are meant for the client are shown, others masked and logged', async () => {
    server = await serveSchema();
    expect(await results(client(), '{ refuse }')).toEqual([{ data: { refuse: null }, errors: [{ message: 'No, because.', path: ['refuse'], locations: expect.any(Array), extensions: { code: 'NO' } }] }]);
    const [result] = await results(client(), '{ bug }');
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result).toEqual({
      data: { bug: null },
      errors: [{ message: expect.stringMatching(/^Unexpected error\. Its log id is [-0-9a-f]{36}\.$/), path: ['bug'], locations: expect.any(Array), extensions: { code: 'INTERNAL_SERVER_ERROR', logId: expect.any(String) } }],
    });
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([expect.objectContaining({ fields: expect.objectContaining({ logId: result?.errors?.[0]?.extensions?.logId, path: 'bug' }) })]);
  });

  it('in the middle of a subscription are masked, too', async () => {
    server = await serveSchema();
    const error: unknown = await results(client(), 'subscription { fails }').catch((caught: unknown) => caught);
    expect(error).toEqual([{ message: expect.stringMatching(/^Unexpected error\. Its log id is /), extensions: { code: 'INTERNAL_SERVER_ERROR', logId: expect.any(String) } }]);
  });

  it('at the start of a subscription are masked and logged, too', async () => {
    server = await serveSchema();
    const [result] = await results(client(), 'subscription { neverStarts }');
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result?.errors).toMatchObject([{ message: expect.stringMatching(/^Unexpected error\. Its log id is /), extensions: { code: 'INTERNAL_SERVER_ERROR', logId: expect.any(String) } }]);
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([expect.objectContaining({ fields: expect.objectContaining({ path: 'neverStarts', err: expect.objectContaining({ message: 'the password is hunter2' }) }) })]);
  });

  it.each([
    ['syntax', '{ hello', {}, { message: 'Syntax Error: Expected Name, found <EOF>.' }],
    ['validation', '{ nothing }', {}, { message: 'Cannot query field "nothing" on type "Query".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    ['depth', `{ ${'self { '.repeat(20)} hello ${'} '.repeat(20)} }`, {}, { message: 'The document nests 21 fields; the limit is 16.', extensions: { code: 'DOCUMENT_TOO_DEEP' } }],
  ])('of %s reach the client as errors of the operation, and the connection stays', async (...[, query, variables, wanted]) => {
    server = await serveSchema();
    const made = client();
    await expect(results(made, query, variables)).rejects.toEqual([expect.objectContaining(wanted)]);
    expect(await results(made, '{ hello }')).toEqual([{ data: { hello: 'hello' } }]);
  });

  it('of variables name the place', async () => {
    server = await serveSchema();
    expect(await results(client(), 'query ($number: Int) { echo(text: "", number: $number) }', { number: 'x' })).toEqual([
      { errors: [{ message: 'Variable "$number" got invalid value "x"; Int cannot represent non-integer value: "x"', locations: expect.any(Array), extensions: { code: 'BAD_USER_INPUT' } }] },
    ]);
  });

  it('says so when there is no such operation', async () => {
    server = await serveSchema();
    const made = await connected();
    made.send({ id: '1', type: 'subscribe', payload: { query: 'query A { hello } query B { hello }', operationName: 'C' } });
    await expect.poll(() => made.messages).toEqual([{ id: '1', type: 'error', payload: [{ message: 'Unable to identify operation', extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }] }]);
  });
});

describe('a connection', () => {
  it('whose peer is dead is cut, and its calls notice', async () => {
    server = await serveSchema({ keepAlive: { pingEverySeconds: 0.1 } });
    const made = await connected();
    made.send({ id: '1', type: 'subscribe', payload: { query: '{ hold(key: "a") }' } });
    const call = await server.held('a');
    made.socket.pause(); // reads nothing more, so it answers no ping
    await expect.poll(() => call.signal.aborted, { timeout: 1000 }).toBe(true);
  });

  it('that answers pings lives', async () => {
    server = await serveSchema({ keepAlive: { pingEverySeconds: 0.05 } });
    const made = await connected();
    let pings = 0;
    made.socket.on('ping', () => (pings += 1));
    await expect.poll(() => pings).toBeGreaterThan(5);
    expect(made.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('answers the protocol’s own ping', async () => {
    server = await serveSchema();
    const made = await connected();
    made.send({ type: 'ping', payload: { n: 1 } });
    await expect.poll(() => made.messages).toEqual([{ type: 'pong', payload: { n: 1 } }]);
  });

  it.each([
    ['subscribes before it is acknowledged', { id: '1', type: 'subscribe', payload: { query: '{ hello }' } }, 4401],
    ['sends no JSON', 'hello', 4400],
    ['sends an unknown message', { type: 'hello' }, 4400],
    ['sends a query that is no text', { id: '1', type: 'subscribe', payload: { query: 1 } }, 4400],
  ])('that %s is closed', async (_, message, code) => {
    server = await serveSchema();
    const made = await raw();
    made.send(message);
    expect((await made.closed).code).toBe(code);
  });

  it('that uses an id twice is closed', async () => {
    server = await serveSchema();
    const made = await connected();
    for (let times = 0; times < 2; times += 1) made.send({ id: '1', type: 'subscribe', payload: { query: 'subscription { forever }' } });
    expect((await made.closed).code).toBe(4409);
    await expect.poll(() => server.running()).toBe(0);
  });

  it('without the protocol is closed', async () => {
    server = await serveSchema();
    const made = await raw('/graphql', { protocols: [] });
    expect((await made.closed).code).toBe(4406);
  });

  it('whose caller nobody knows is closed', async () => {
    server = await serveSchema({}, { authenticate: async () => null });
    const made = await raw();
    made.send({ type: 'connection_init' });
    expect(await made.closed).toEqual({ code: 4401, reason: 'Unauthorized' });
  });

  it('with a message that is too large is closed with 1009', async () => {
    server = await serveSchema({ limits: { bodyBytes: 1000 } });
    const made = await connected();
    made.send({ id: '1', type: 'subscribe', payload: { query: `{ hello ${'#'.repeat(1000)}\n }` } });
    expect((await made.closed).code).toBe(1009);
  });

  it('has so many subscriptions and no more, and can go on when it ends one', async () => {
    server = await serveSchema({ limits: { subscriptionsPerConnection: 2 } });
    const made = client();
    const kept = [made.iterate({ query: 'subscription { forever }' }), made.iterate({ query: 'subscription { forever }' })];
    await Promise.all(kept.map((one) => one.next()));
    await expect(results(made, 'subscription { forever }')).rejects.toEqual([
      { message: 'This connection has 2 subscriptions already, which is the limit. Complete some, or open another connection.', extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } },
    ]);
    expect(await results(made, '{ hello }')).toEqual([{ data: { hello: 'hello' } }]);
    await kept[0]?.return?.();
    expect((await made.iterate({ query: 'subscription { forever }' }).next()).value).toEqual({ data: { forever: 1 } });
  });

  it('has so many calls under way and no more', async () => {
    server = await serveSchema({ limits: { callsPerConnection: 1 } });
    const made = client();
    const answer = made.iterate({ query: '{ hold(key: "a") }' }).next();
    const call = await server.held('a');
    await expect(results(made, '{ hello }')).rejects.toEqual([expect.objectContaining({ extensions: { code: 'TOO_MANY_CALLS' } })]);
    call.release('done');
    await answer;
    expect(await results(made, '{ hello }')).toEqual([{ data: { hello: 'hello' } }]);
  });
});

describe('an upgrade or operation', () => {
  it.each([
    ['from a foreign page', '/graphql', { origin: 'https://evil.example' }, 403],
    ['under a foreign name', '/graphql', { host: 'evil.example' }, 421],
    ['elsewhere', '/other', {}, 404],
  ])('%s is refused', async (...[, path, headers, status]) => {
    server = await serveSchema();
    await expect(raw(path, { headers })).rejects.toThrow(`Unexpected server response: ${status}`);
  });

  it.each(['own', 'allowed'])('from a page of an %s origin is accepted', async (kind) => {
    server = await serveSchema({ allowedOrigins: ['https://console.example'] });
    const origin = kind === 'own' ? server.baseUrl : 'https://console.example';
    expect((await raw('/graphql', { headers: { origin } })).socket.readyState).toBe(WebSocket.OPEN);
  });

  it('that asks for introspection is refused when it is switched off', async () => {
    server = await serveSchema({ introspection: false });
    await expect(results(client(), '{ __type(name: "Query") { name } }')).rejects.toEqual([
      expect.objectContaining({ message: 'GraphQL introspection has been disabled, but the requested query contained the field "__type".' }),
    ]);
  });
});
