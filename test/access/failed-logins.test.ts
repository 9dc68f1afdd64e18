import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startKeyedServer, transports, type KeyedServer } from './keyed-server.ts';

let keyed: KeyedServer;
afterEach(() => keyed.remove());

const viewer = '{ viewer { id } }';
const wrong = 'csk_wrong';

/** Any address of 127.0.0.0/8 is this machine's. */
function statusFrom(localAddress: string, token: string): Promise<{ status: number | undefined; retryAfter: string | undefined; body: string }> {
  const body = JSON.stringify({ query: viewer });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const asking = request(keyed.server.url, { method: 'POST', localAddress, headers, agent: false }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'], body: answer }), reject);
    });
    asking.once('error', reject).end(body);
  });
}

describe('an address from which too many wrong credentials came', () => {
  it('has none looked at any more, right or wrong, until the window ends', async () => {
    keyed = await startKeyedServer({ limits: { failedLoginsPerAddress: 3, failedLoginsWindowSeconds: 2 } });
    const token = await keyed.key('VIEWER');
    for (let times = 0; times < 3; times += 1) expect((await statusFrom('127.0.0.1', wrong)).status).toBe(401);
    const refused = await statusFrom('127.0.0.1', token);
    expect(refused).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^[12]$/) });
    expect(JSON.parse(refused.body)).toEqual({ errors: [{ message: expect.stringContaining('Yours was not looked at.'), extensions: { code: 'TOO_MANY_FAILED_LOGINS' } }] });
    await expect.poll(async () => (await statusFrom('127.0.0.1', token)).status, { timeout: 5000, interval: 200 }).toBe(200);
  });

  it.each(transports)('gets it said over %s', async (transport) => {
    keyed = await startKeyedServer({ limits: { failedLoginsPerAddress: 2 } });
    const token = await keyed.key('VIEWER');
    const document = transport === 'SSE' ? 'subscription { elicitationRequested { id } }' : viewer;
    const unknown = transport === 'WebSocket' ? { closed: 4401 } : { status: 401 };
    for (let times = 0; times < 2; times += 1) expect(await keyed.send(wrong, document, { transport })).toMatchObject(unknown);
    expect(await keyed.send(token, document, { transport })).toMatchObject(transport === 'WebSocket' ? { closed: 4429 } : { status: 429 });
  });

  it('shuts out no other address, whatever it says in its headers', async () => {
    keyed = await startKeyedServer({ limits: { failedLoginsPerAddress: 1 } });
    const token = await keyed.key('VIEWER');
    expect((await statusFrom('127.0.0.2', wrong)).status).toBe(401);
    expect((await statusFrom('127.0.0.2', token)).status).toBe(429);
    expect((await statusFrom('127.0.0.3', token)).status).toBe(200);
    const headers = { authorization: `Bearer ${wrong}`, 'x-forwarded-for': '127.0.0.3', forwarded: 'for=127.0.0.3', 'content-type': 'application/json' };
    await fetch(keyed.server.url, { method: 'POST', headers, body: JSON.stringify({ query: viewer }) });
    expect((await statusFrom('127.0.0.3', token)).status).toBe(200);
  });

  it('keeps the connections that it has', async () => {
    keyed = await startKeyedServer({ limits: { failedLoginsPerAddress: 1 } });
    const token = await keyed.key('VIEWER');
    const client = createClient({ url: keyed.server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0, lazy: false, connectionParams: { authorization: `Bearer ${token}` } });
    await new Promise((resolve) => client.on('connected', resolve));
    await keyed.send(wrong, viewer);
    expect(await keyed.send(token, viewer)).toMatchObject({ status: 429 });
    for await (const { data } of client.iterate({ query: viewer })) expect(data).toMatchObject({ viewer: { id: expect.any(String) } });
    await client.dispose();
  });

  it('is not one from which no credential came', async () => {
    keyed = await startKeyedServer({ limits: { failedLoginsPerAddress: 1 } });
    const token = await keyed.key('VIEWER');
    for (let times = 0; times < 5; times += 1) expect(await keyed.send(null, viewer)).toMatchObject({ status: 401 });
    expect(await keyed.ask(token, viewer)).toEqual({ id: expect.any(String) });
  });
});
