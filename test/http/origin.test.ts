import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';

let server: SchemaServer;
afterEach(() => server.close());

/** fetch does not let anyone choose the Host. */
function get(path: string, headers: Record<string, string>): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    request(`${server.baseUrl}${path}`, { headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString())).on('end', () => resolve({ status: response.statusCode, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('Host', () => {
  it.each(['localhost', 'localhost:1234', '127.0.0.1', '127.0.0.1:4000', '127.9.9.9', '[::1]', '[::1]:4000', '10.0.0.1:4000', '[fd00::1]', 'gate.example', 'GATE.example:8443'])('%s is us', async (host) => {
    server = await serveSchema({ publicUrl: 'https://gate.example' });
    expect((await get('/healthz', { host })).status).toBe(200);
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'a b'])('"%s" is not, so that no name can be pointed at us', async (host) => {
    server = await serveSchema({ publicUrl: 'https://gate.example' });
    for (const path of ['/graphql?query={hello}', '/healthz', '/readyz']) {
      const { status, body } = await get(path, { host });
      expect(status).toBe(421);
      expect(JSON.parse(body)).toMatchObject({ errors: [{ extensions: { code: 'MISDIRECTED_REQUEST' } }] });
    }
  });
});

describe('Origin', () => {
  it.each(['https://evil.example', 'http://localhost:1', 'null', 'http://127.0.0.1', 'garbage'])('%s may not call', async (origin) => {
    server = await serveSchema();
    const response = await post(server.url, 'mutation { hold(key: "a") }', { headers: { origin } });
    expect(response.status).toBe(403);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    expect(await response.json()).toMatchObject({ errors: [{ message: expect.stringContaining('allowedOrigins'), extensions: { code: 'FORBIDDEN_ORIGIN' } }] });
  });

  it('of our own pages may call', async () => {
    server = await serveSchema({ publicUrl: 'https://gate.example' });
    for (const origin of [server.baseUrl, 'https://gate.example']) expect((await post(server.url, '{ hello }', { headers: { origin } })).status).toBe(200);
  });

  it('that is allowed may call, and its pages may read the answer', async () => {
    const origin = 'https://console.example';
    server = await serveSchema({ allowedOrigins: [origin] });
    const preflight = await fetch(server.url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' } });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({ 'access-control-allow-origin': origin, 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': expect.stringContaining('content-type') });
    const response = await post(server.url, '{ hello }', { headers: { origin } });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('vary')).toBe('origin');
  });

  it('is not needed by programs', async () => {
    server = await serveSchema();
    expect((await post(server.url, '{ hello }')).status).toBe(200);
  });
});
