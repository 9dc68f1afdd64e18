import { Agent, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';
import { post } from '../support/post.ts';

let server: SchemaServer;
afterEach(() => server.close());

async function ask(path: string): Promise<[number, unknown]> {
  const response = await fetch(`${server.baseUrl}${path}`, { redirect: 'manual' });
  return [response.status, await response.json().catch(() => null)];
}

const posture = { sweeper: 'ok', schema: '0001-initial' };

it('lives and is ready', async () => {
  server = await serveSchema();
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await ask('/readyz')).toEqual([200, { status: 'ready', server: 'ok', database: 'ok', events: 'ok', ...posture }]);
});

it.each([
  ['says that it is down', async () => false],
  ['fails', async () => Promise.reject(new Error('no'))],
  ['does not answer', () => new Promise<boolean>(() => undefined)],
])('is not ready when the database %s, but lives', async (_, isDatabaseUp) => {
  server = await serveSchema({}, { health: { isDatabaseUp } });
  expect(await ask('/readyz')).toEqual([503, { status: 'unavailable', server: 'ok', database: 'down', events: 'ok', ...posture }]);
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
});

it('is not ready while other servers are not heard, and is again afterwards', async () => {
  let areEventsUp = false;
  server = await serveSchema({}, { health: { areEventsUp: () => areEventsUp } });
  expect(await ask('/readyz')).toEqual([503, { status: 'unavailable', server: 'ok', database: 'ok', events: 'down', ...posture }]);
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  areEventsUp = true;
  expect(await ask('/readyz')).toEqual([200, { status: 'ready', server: 'ok', database: 'ok', events: 'ok', ...posture }]);
});

it('tells that the sweep for what is overdue is late, and serves', async () => {
  server = await serveSchema({}, { health: { isSweeping: () => false } });
  expect(await ask('/readyz')).toEqual([200, { status: 'ready', server: 'ok', database: 'ok', events: 'ok', ...posture, sweeper: 'late' }]);
});

it('is not ready when it drains, on connections that are still there', async () => {
  server = await serveSchema();
  const agent = new Agent({ keepAlive: true });
  const again = () =>
    new Promise<unknown>((resolve, reject) => {
      request(`${server.baseUrl}/readyz`, { agent }, (response) => {
        response.on('data', (body: Buffer) => resolve([response.statusCode, response.headers.connection, JSON.parse(body.toString())]));
      })
        .on('error', reject)
        .end();
    });
  expect(await again()).toEqual([200, 'keep-alive', expect.anything()]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  server.drain();
  expect(await again()).toEqual([503, 'close', { status: 'unavailable', server: 'draining', database: 'ok', events: 'ok', ...posture }]);
  await expect(again()).rejects.toThrow('ECONNREFUSED');
});

describe('elsewhere', () => {
  it('nothing is, and the answer says what is where', async () => {
    server = await serveSchema();
    expect(await ask('/graphqll')).toEqual([404, { errors: [{ message: 'Nothing is here. The console is at /, GraphQL at /graphql, health at /healthz and /readyz, metrics at /metrics.', extensions: { code: 'NOT_FOUND' } }] }]);
  });

  it('a GraphQL query is not taken for a health check by how its URL ends', async () => {
    server = await serveSchema();
    expect(await (await fetch(`${server.url}?query={hello}&operationName=/health`)).json()).toMatchObject({ errors: expect.any(Array) });
    expect((await post(`${server.url}?/health`, '{ hello }')).status).toBe(200);
  });
});

describe('GraphiQL', () => {
  it('is a page that needs nothing from anywhere else, with subscriptions over WebSockets', async () => {
    server = await serveSchema();
    const response = await fetch(server.url, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    const page = await response.text();
    expect(page).toContain('"subscriptionsProtocol":"WS"');
    expect(page).toContain('"endpoint":"/graphql"');
    expect(page.match(/<(?:script|link|img)[^>]+(?:src|href)="?https?:[^>]*/g)).toBeNull();
    expect(page.match(/unpkg\.com|jsdelivr|esm\.sh|googleapis/g)).toBeNull();
  });

  it('can be switched off', async () => {
    server = await serveSchema({ graphiql: false });
    const response = await fetch(server.url, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.headers.get('content-type')).toContain('json');
    expect(await response.json()).toMatchObject({ errors: [{ message: 'Must provide query string.' }] });
  });
});
