import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptable } from '../../src/http/accept.ts';
import { post } from '../support/post.ts';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';

let server: SchemaServer;
beforeAll(async () => {
  server = await serveSchema();
});
afterAll(() => server.close());

/** A held call sends its headers before Yoga has chosen: both must come to the same. */
describe('what Yoga answers and what a hold announces is the same for', () => {
  it.each([
    '*/*',
    'application/json',
    'application/json; charset=utf-8',
    'application/graphql-response+json',
    'application/graphql-response+json, application/json',
    'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
    'application/json, application/graphql-response+json',
    'application/*',
    '*/*, application/graphql-response+json',
    'application/graphql-response+json, */*',
    'text/event-stream',
    'text/event-stream, application/json',
    'text/event-stream, */*',
    'text/*',
    'multipart/mixed',
    'multipart/mixed, application/json',
    'multipart/mixed, text/event-stream',
    'text/html, application/json;q=0.5',
    'APPLICATION/JSON',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  ])('%s', async (accept) => {
    const response = await post(server.url, '{ hello }', { headers: { accept } });
    const { result } = acceptable(accept);
    await response.body?.cancel();
    expect(response.headers.get('content-type')?.split(';')[0]).toBe(result);
  });

  it('no header at all', () => {
    expect(acceptable(undefined)).toEqual({ result: 'application/json', stream: true });
  });
});

describe('nothing is acceptable for', () => {
  it.each(['text/plain', 'image/*', 'application/xml', 'application/json; charset=latin1', ''])('"%s"', (accept) => {
    expect(acceptable(accept).result).toBeNull();
  });
});
