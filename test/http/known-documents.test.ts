import { createClient, type SubscribePayload } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';

let server: SchemaServer;
let contexts: number;
afterEach(() => server.close());

async function serve(): Promise<void> {
  contexts = 0;
  const contextOf = ({ signal }: { readonly signal: AbortSignal }) => {
    contexts += 1;
    return { signal };
  };
  server = await serveSchema({}, { contextOf });
}

const logId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface Sent {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

async function answer(body: Sent, accept: string): Promise<object> {
  const response = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json', accept }, body: JSON.stringify(body) });
  const { date: _date, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: (await response.text()).replaceAll(logId, '<log id>') };
}

const two = 'query A { hello } query B { echo(text: "b") }';

const requests: [string, Sent][] = [
  ['that is plain', { query: '{ hello }' }],
  ['with variables', { query: 'query ($text: String!) { echo(text: $text) }', variables: { text: 'ä "quoted" \u2028' } }],
  ['whose variables do not fit', { query: 'query ($text: String!) { echo(text: $text) }', variables: { text: ['a', 1] } }],
  ['without the variables that it needs', { query: 'query ($text: String!) { echo(text: $text) }' }],
  ['with variables that are no object', { query: '{ hello }', variables: 'none' }],
  ['with variables that are a list', { query: '{ hello }', variables: [] }],
  ['of several operations', { query: two, operationName: 'B' }],
  ['of several operations of which none is chosen', { query: two }],
  ['of several operations of which a missing one is chosen', { query: two, operationName: 'C' }],
  ['with a name that is no text', { query: two, operationName: 1 }],
  ['with extensions', { query: '{ hello }', extensions: { a: 1 } }],
  ['that refuses a part', { query: '{ hello refuse }' }],
  ['that fails in a part', { query: '{ hello bug }' }],
  ['that fails as a whole', { query: '{ strictBug }' }],
  ['that is not valid', { query: '{ nothing }' }],
  ['that cannot be parsed', { query: '{ hello' }],
  ['of nothing but brackets', { query: `{ echo(text: ${'['.repeat(3900)}` }],
  ['that is a subscription', { query: 'subscription { count(to: 1) }' }],
  ['that is empty', { query: '' }],
];

/** The first time a document is unknown; from the second time on it is known. */
describe.each(['application/json', 'application/graphql-response+json'])('over HTTP, as %s, a known document is answered as an unknown one', (accept) => {
  it.each(requests)('%s', async (_what, body) => {
    await serve();
    const first = await answer(body, accept);
    const [contextsOfFirst, logsOfFirst] = [contexts, server.logged.length];
    for (let times = 2; times <= 3; times += 1) {
      expect(await answer(body, accept)).toEqual(first);
      expect({ contexts, logged: server.logged.length }, 'it is executed, and what fails is logged, once a call').toEqual({ contexts: contextsOfFirst * times, logged: logsOfFirst * times });
    }
  });
});

describe('over a WebSocket, a known document is answered as an unknown one', () => {
  const ofTheProtocol = requests.filter(([, { variables = {}, operationName = '' }]) => typeof variables === 'object' && !Array.isArray(variables) && typeof operationName === 'string');
  it.each(ofTheProtocol)('%s', async (_what, body) => {
    await serve();
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0, generateID: () => 'one' });
    const messages: string[] = [];
    client.on('message', (message) => messages.push(JSON.stringify(message).replaceAll(logId, '<log id>')));
    const answers = async () => {
      messages.length = 0;
      await new Promise<void>((resolve) => client.subscribe(body as SubscribePayload, { next: () => undefined, error: () => resolve(), complete: resolve }));
      return messages.filter((message) => !message.includes('connection_ack'));
    };
    const first = await answers();
    const [contextsOfFirst, logsOfFirst] = [contexts, server.logged.length];
    expect(first).not.toEqual([]);
    expect(await answers()).toEqual(first);
    expect({ contexts, logged: server.logged.length }).toEqual({ contexts: contextsOfFirst * 2, logged: logsOfFirst * 2 });
    await client.dispose();
  });
});

it('a known mutation is executed once a call, also when it fails', async () => {
  await serve();
  const query = 'mutation ($key: String!) { hold(key: $key) }';
  const call = async (key: string) => {
    const answered = answer({ query, variables: { key } }, 'application/json');
    return { answered, held: await server.held(key) };
  };
  const first = await call('a');
  first.held.release('A');
  expect(await first.answered).toMatchObject({ status: 200, text: '{"data":{"hold":"A"}}' });
  const second = await call('b');
  second.held.fail(new Error('the password is hunter2'));
  expect(await second.answered).toMatchObject({ status: 200, text: expect.not.stringContaining('hunter2') });
  expect(contexts).toBe(2);
});
