import { afterEach, describe, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';

let server: SchemaServer;
afterEach(() => server.close());

const graphqlResponse = { accept: 'application/graphql-response+json' };

describe('an error', () => {
  it('that is meant for the client is shown', async () => {
    server = await serveSchema();
    const response = await post(server.url, '{ refuse }');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { refuse: null }, errors: [{ message: 'No, because.', path: ['refuse'], locations: expect.any(Array), extensions: { code: 'NO' } }] });
  });

  it.each([
    ['bug', { bug: null }],
    ['strictBug', null],
  ])('that is a %s is masked, and logged under the id that the client gets', async (field, data) => {
    server = await serveSchema();
    const response = await post(server.url, `{ ${field} }`, { headers: graphqlResponse });
    const text = await response.text();
    expect(text).not.toMatch(/hunter2|stack|\.ts/);
    const body = JSON.parse(text);
    const { logId } = body.errors[0].extensions;
    expect(body).toEqual({
      data,
      errors: [{ message: `Unexpected error. Its log id is ${logId}.`, path: [field], locations: expect.any(Array), extensions: { code: 'INTERNAL_SERVER_ERROR', logId } }],
    });
    const errors = server.logged.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.fields).toMatchObject({ logId, path: field, err: expect.objectContaining({ message: 'the password is hunter2' }) });
  });

  it('in making the context is masked', async () => {
    server = await serveSchema({}, {
      contextOf: () => {
        throw new Error('the password is hunter2');
      },
    });
    const response = await post(server.url, '{ hello }', { headers: graphqlResponse });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toContain('hunter2');
    expect(JSON.parse(text)).toEqual({ errors: [{ message: expect.stringMatching(/^Unexpected error\. Its log id is /), extensions: { code: 'INTERNAL_SERVER_ERROR', logId: expect.any(String) } }] });
  });

  it.each([
    ['application/graphql-response+json', 400],
    ['application/json', 200],
  ])('of a variable names the place, with %s under status %i', async (accept, status) => {
    server = await serveSchema();
    const response = await post(server.url, 'query ($number: Int) { echo(text: "", number: $number) }', { variables: { number: 'x' }, headers: { accept } });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      errors: [{ message: 'Variable "$number" got invalid value "x"; Int cannot represent non-integer value: "x"', locations: expect.any(Array), extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });

  it('of a variable does not repeat megabytes', async () => {
    server = await serveSchema();
    const response = await post(server.url, 'query ($letter: Letter) { echo(text: "", enum: $letter) }', { variables: { letter: 'x'.repeat(5_000_000) } });
    const { errors } = (await response.json()) as { errors: [{ message: string }] };
    expect(errors[0].message.length).toBeLessThan(1000);
    expect(errors[0].message).toMatch(/^Variable "\$letter" got invalid value "xxx/);
    expect(errors[0].message).toMatch(/"Letter" enum\.$/);
  });

  it('never shows arguments or headers in the log', async () => {
    server = await serveSchema();
    await post(server.url, 'query ($text: String!) { echo(text: $text) bug }', { variables: { text: 'my secret' }, headers: { authorization: 'Bearer token-1' } });
    expect(JSON.stringify(server.logged)).not.toMatch(/my secret|token-1/);
    expect(server.logged).toContainEqual({ level: 'debug', message: 'request', fields: { method: 'POST', path: '/graphql', status: 200, milliseconds: expect.any(Number) } });
  });

  it('of authentication is 401', async () => {
    server = await serveSchema({}, { authenticate: async () => null });
    const response = await post(server.url, '{ hello }');
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });
});
