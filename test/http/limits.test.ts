import { connect } from 'node:net';
import { getIntrospectionQuery } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { serveSchema, type SchemaServer } from '../support/serve-schema.ts';

let server: SchemaServer;
afterEach(() => server.close());

const graphqlResponse = { accept: 'application/graphql-response+json' };

async function refusal(response: Response): Promise<{ status: number; code: unknown; message: string }> {
  const { errors } = (await response.json()) as { errors: [{ message: string; extensions?: { code?: string } }] };
  return { status: response.status, code: errors[0].extensions?.code, message: errors[0].message };
}

describe('a body', () => {
  const tooLarge = { status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 1000 bytes, which is the limit.' };

  it('as large as the limit is read', async () => {
    server = await serveSchema({ limits: { bodyBytes: 1000 } });
    const frame = JSON.stringify({ query: '{ hello }', variables: { pad: '' } }).length;
    const body = JSON.stringify({ query: '{ hello }', variables: { pad: 'x'.repeat(1000 - frame) } });
    const response = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).toBe(200);
  });

  it('larger than the limit is refused by what it says of its length', async () => {
    server = await serveSchema({ limits: { bodyBytes: 1000 } });
    expect(await refusal(await post(server.url, '{ hello }', { variables: { pad: 'x'.repeat(1000) } }))).toEqual(tooLarge);
  });

  it('larger than the limit is refused at once, though most of it is still to come', async () => {
    server = await serveSchema({ limits: { bodyBytes: 1000 } });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.write('POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n{');
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE/);
    socket.destroy();
  });

  it('larger than the limit is refused by counting when it does not say its length', async () => {
    server = await serveSchema({ limits: { bodyBytes: 1000 } });
    const response = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: chunks(40_000), duplex: 'half' } as RequestInit);
    expect(await refusal(response)).toEqual(tooLarge);
  });

  it('of 20 MB that is refused keeps no memory', async () => {
    server = await serveSchema({ limits: { bodyBytes: 1000 } });
    global.gc?.();
    const before = process.memoryUsage().arrayBuffers;
    await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: chunks(20_000_000), duplex: 'half' } as RequestInit);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it.each([
    ['is not JSON', '{"query": ', 400, 'BAD_REQUEST', 'The body is not valid JSON.'],
    ['is empty', '', 400, 'BAD_REQUEST', 'The body is not valid JSON.'],
    ['is a list of operations', '[{"query":"{ hello }"}]', 400, 'BAD_REQUEST', 'One operation a request: the body must be an object, not a list.'],
    ['is null', 'null', 400, 'BAD_REQUEST', 'The body must be a JSON object, { "query": "…" }.'],
    ['is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400, 'BAD_REQUEST', 'The body is not UTF-8.'],
    ['has no query', '{}', 400, 'BAD_REQUEST', 'Must provide query string.'],
    ['has unknown parts', '{"query":"{ hello }","quary":1}', 400, 'BAD_REQUEST', 'Unexpected parameter "quary" in the request body.'],
  ])('that %s is refused', async (...[, body, status, code, message]) => {
    server = await serveSchema();
    const response = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json', ...graphqlResponse }, body });
    expect(await refusal(response)).toEqual({ status, code, message });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/graphql', 'application/json; charset=iso-8859-1', ''])(
    'of type "%s" is refused, for a web page could send it to anyone',
    async (type) => {
      server = await serveSchema();
      const body = new Blob([JSON.stringify({ query: 'mutation { hold(key: "a") }' })]);
      const response = await fetch(server.url, { method: 'POST', headers: type ? { 'content-type': type } : {}, body });
      expect(await refusal(response)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    },
  );

  it('that is compressed is refused', async () => {
    server = await serveSchema();
    expect(await refusal(await post(server.url, '{ hello }', { headers: { 'content-encoding': 'gzip' } }))).toMatchObject({ status: 415 });
  });

  it('that never comes to its end is forgotten when its client goes', async () => {
    server = await serveSchema();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await expect.poll(() => server.logged.filter(({ message }) => message === 'request')).toHaveLength(1);
  });
});

describe('a GET', () => {
  it('may query', async () => {
    server = await serveSchema();
    const search = new URLSearchParams({ query: 'query ($t: String!) { echo(text: $t) }', variables: '{"t":"x"}' });
    expect(await (await fetch(`${server.url}?${search}`)).json()).toEqual({ data: { echo: 'x' } });
  });

  it('may not mutate', async () => {
    server = await serveSchema();
    const response = await fetch(`${server.url}?query=${encodeURIComponent('mutation { hold(key: "a") }')}`);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await refusal(response)).toMatchObject({ status: 405, message: 'Can only perform a mutation operation from a POST request.' });
  });

  it('with variables that are not JSON is refused', async () => {
    server = await serveSchema();
    const response = await fetch(`${server.url}?query={hello}&variables=x`);
    expect(await refusal(response)).toEqual({ status: 400, code: 'BAD_REQUEST', message: 'The parameter variables is not valid JSON.' });
  });

  it('without a query is refused', async () => {
    server = await serveSchema();
    expect(await refusal(await fetch(server.url, { headers: graphqlResponse }))).toMatchObject({ status: 400, message: 'Must provide query string.' });
  });
});

it('another method is refused', async () => {
  server = await serveSchema();
  const response = await fetch(server.url, { method: 'PUT', body: '{}' });
  expect(response.headers.get('allow')).toBe('GET, POST');
  expect(await refusal(response)).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
});

it('an answer in a form that nobody has is refused before anything runs', async () => {
  server = await serveSchema();
  expect(await refusal(await post(server.url, 'mutation { hold(key: "a") }', { headers: { accept: 'text/plain' } }))).toMatchObject({ status: 406, code: 'NOT_ACCEPTABLE' });
});

describe('a document', () => {
  const nested = (depth: number) => `{ ${'self { '.repeat(depth - 1)} hello ${'} '.repeat(depth - 1)} }`;

  it.each([
    ['too deep', nested(17), 'DOCUMENT_TOO_DEEP', 'The document nests 17 fields; the limit is 16.'],
    ['too deep by fragments', `{ ...A } ${fragments(9)}`, 'DOCUMENT_TOO_DEEP', 'The document nests 18 fields; the limit is 16.'],
    ['with too many aliases', `{ ${aliases(101)} }`, 'TOO_MANY_ALIASES', 'The document has 101 aliases; the limit is 100.'],
    ['with too many aliases by fragments', `{ a: self { ...B } b: self { ...B } } fragment B on Query { ${aliases(60)} }`, 'TOO_MANY_ALIASES', 'The document has 122 aliases; the limit is 100.'],
    ['too long', `{ ${'hello '.repeat(4000)} }`, 'GRAPHQL_PARSE_FAILED', 'Syntax Error: Document contains more that 4000 tokens. Parsing aborted.'],
    ['of nothing but brackets', `{ echo(text: ${'['.repeat(3900)}`, 'DOCUMENT_TOO_DEEP', 'The document nests too deep to be read.'],
    ['of nothing but fields in fields', nested(1300), 'DOCUMENT_TOO_DEEP', 'The document nests 1300 fields; the limit is 16.'],
  ])('%s is refused', async (...[, query, code, message]) => {
    server = await serveSchema();
    expect(await refusal(await post(server.url, query, { headers: graphqlResponse }))).toEqual({ status: 400, code, message });
  });

  it.each([
    ['as deep as the limit', nested(16)],
    ['with as many aliases as the limit', `{ ${aliases(100)} }`],
    ['with a fragment used often', `{ ...B ...B ...B } fragment B on Query { hello }`],
    ['that introspects as tools do', getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, specifiedByUrl: true, schemaDescription: true, directiveIsRepeatable: true, oneOf: true })],
  ])('%s is answered', async (_, query) => {
    server = await serveSchema();
    const response = await post(server.url, query);
    expect(await response.json()).toEqual({ data: expect.any(Object) });
  });

  it('whose fragments contain each other is refused, and nothing hangs', async () => {
    server = await serveSchema();
    const response = await post(server.url, '{ ...A } fragment A on Query { self { ...B } } fragment B on Query { self { ...A } }', { headers: graphqlResponse });
    expect(await refusal(response)).toEqual({ status: 400, code: 'GRAPHQL_VALIDATION_FAILED', message: 'Cannot spread fragment "A" within itself via "B".' });
  });

  it('may not introspect when that is switched off', async () => {
    server = await serveSchema({ introspection: false });
    expect(await refusal(await post(server.url, '{ __type(name: "Query") { name } }', { headers: graphqlResponse }))).toEqual({
      status: 400,
      code: 'GRAPHQL_VALIDATION_FAILED',
      message: 'GraphQL introspection has been disabled, but the requested query contained the field "__type".',
    });
  });

  function fragments(count: number): string {
    const names = 'ABCDEFGHIJKLMNOP';
    const links = Array.from({ length: count }, (_, index) => `fragment ${names[index]} on Query { self { self { ${index + 1 < count ? `...${names[index + 1]}` : 'hello'} } } }`);
    return links.join(' ').replace('self { self { hello } }', 'self { hello }');
  }
  function aliases(count: number): string {
    return Array.from({ length: count }, (_, index) => `a${index}: hello`).join(' ');
  }
});

function chunks(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left > 0) controller.enqueue(new Uint8Array(Math.min(left, 64_000)).fill(0x20));
      else controller.close();
      left -= 64_000;
    },
  });
}
