import { afterEach, describe, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';

let server: SchemaServer;
afterEach(() => server.close());

const eventStream = { accept: 'text/event-stream' };

describe('a subscription over server-sent events', () => {
  it('is a stream of events that ends with the subscription', async () => {
    server = await serveSchema();
    const response = await post(server.url, 'subscription { count(to: 2) }', { headers: eventStream });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toBe(':\n\nevent: next\ndata: {"data":{"count":1}}\n\nevent: next\ndata: {"data":{"count":2}}\n\nevent: complete\ndata:\n\n');
  });

  it('can be asked for by GET, as an EventSource does', async () => {
    server = await serveSchema();
    const response = await fetch(`${server.url}?query=${encodeURIComponent('subscription { count(to: 1) }')}`, { headers: eventStream });
    expect(await response.text()).toContain('data: {"data":{"count":1}}');
  });

  it('is kept alive by comments while nothing happens', async () => {
    server = await serveSchema();
    const client = new AbortController();
    const response = await post(server.url, 'subscription { forever }', { headers: eventStream, signal: client.signal });
    let received = '';
    try {
      for await (const chunk of response.body ?? []) {
        received += Buffer.from(chunk).toString();
        if (/(:\n\n){2,}$/.test(received)) break; // Yoga sends one every 12 s, and every 300 ms in tests
      }
    } finally {
      client.abort();
    }
    expect(received).toMatch(/^:\n\nevent: next\ndata: \{"data":\{"forever":1\}\}\n\n(:\n\n)+$/);
  });

  it('ends when its client goes away', async () => {
    server = await serveSchema();
    const client = new AbortController();
    const response = await post(server.url, 'subscription { forever }', { headers: eventStream, signal: client.signal });
    await response.body?.getReader().read();
    await expect.poll(() => server.running()).toBe(1);
    client.abort();
    await expect.poll(() => server.running()).toBe(0);
  });

  it('leaves nothing running of 50 that went away', async () => {
    server = await serveSchema();
    const clients = Array.from({ length: 50 }, () => new AbortController());
    await Promise.all(clients.map(({ signal }) => post(server.url, 'subscription { forever }', { headers: eventStream, signal })));
    await expect.poll(() => server.running()).toBe(50);
    for (const client of clients) client.abort();
    await expect.poll(() => server.running()).toBe(0);
  });

  it('masks what goes wrong in the middle', async () => {
    server = await serveSchema();
    const text = await (await post(server.url, 'subscription { fails }', { headers: eventStream })).text();
    expect(text).toContain('data: {"data":{"fails":1}}');
    expect(text).toMatch(/data: \{"errors":\[\{"message":"Unexpected error\. Its log id is /);
    expect(text).not.toContain('hunter2');
  });

  it('masks what keeps it from beginning', async () => {
    server = await serveSchema();
    const text = await (await post(server.url, 'subscription { neverStarts }', { headers: eventStream })).text();
    expect(text).toContain('Unexpected error. Its log id is ');
    expect(text).toContain('INTERNAL_SERVER_ERROR');
    expect(text).not.toContain('hunter2');
  });

  it('is refused before it begins when its client takes no stream', async () => {
    server = await serveSchema();
    const response = await post(server.url, 'subscription { forever }', { headers: { accept: 'application/graphql-response+json' } });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({ errors: [{ message: expect.stringContaining('text/event-stream'), extensions: { code: 'NOT_ACCEPTABLE' } }] });
    expect(server.running()).toBe(0);
  });
});
