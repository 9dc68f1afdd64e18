import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { exchange } from './bare-socket.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  expect((await send({ query: '{ viewer { id } }' })).body).toEqual({ data: { viewer: { id: 'local' } } }); // whatever came before, the next caller is served
});
afterAll(() => server.remove());

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: ReturnType<JSON['parse']>;
}

/** Posts a body as it is, or as JSON. */
async function send(body: object | string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
    body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
  });
  const text = await response.text();
  expect(text).not.toMatch(/INTERNAL_SERVER_ERROR|node_modules|\.[jt]s:\d|SQLITE|Exception/i);
  return { status: response.status, text, body: JSON.parse(text) };
}

const viewer = '{ viewer { id } }';

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('a body', () => {
  it.each([
    ['garbage', 'hello', 'The body is not valid JSON.'],
    ['nothing', '', 'The body is not valid JSON.'],
    ['blank', '  \n ', 'The body is not valid JSON.'],
    ['half an object', '{"query":"{ viewer { id } }"', 'The body is not valid JSON.'],
    ['an object twice', '{"query":"{ viewer { id } }"}{"query":"{ viewer { id } }"}', 'The body is not valid JSON.'],
    ['JSON with a comment', '{"query":"{ viewer { id } }"} // please', 'The body is not valid JSON.'],
    ['JSON with NaN', '{"query":"{ viewer { id } }","variables":{"a":NaN}}', 'The body is not valid JSON.'],
    ['a form', 'query=%7B%20viewer%20%7B%20id%20%7D%20%7D', 'The body is not valid JSON.'],
    ['a multipart upload', '--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{}\r\n--x--', 'The body is not valid JSON.'],
    ['a text', '"{ viewer { id } }"', 'The body must be a JSON object, { "query": "…" }.'],
    ['a number', '1', 'The body must be a JSON object, { "query": "…" }.'],
    ['true', 'true', 'The body must be a JSON object, { "query": "…" }.'],
    ['null', 'null', 'The body must be a JSON object, { "query": "…" }.'],
    ['a batch', '[{"query":"{ viewer { id } }"},{"query":"{ viewer { id } }"}]', 'One operation a request: the body must be an object, not a list.'],
    ['an empty batch', '[]', 'One operation a request: the body must be an object, not a list.'],
    ['an empty object', '{}', 'Must provide query string.'],
    ['an object of something else', '{"hello":1}', 'Unexpected parameter "hello" in the request body.'],
    ['UTF-8 cut in the middle of a letter', Buffer.from('{"query":"ä"}').subarray(0, 11), 'The body is not UTF-8.'],
    ['UTF-16', Buffer.from(JSON.stringify({ query: viewer }), 'utf16le'), 'The body is not valid JSON.'],
  ])('that is %s is refused', async (_, body, message) => {
    expect(await send(body)).toMatchObject({ status: 400, body: { errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] } });
  });

  it.each([
    ['a query that is a number', { query: 1 }],
    ['a query that is a list', { query: [viewer] }],
    ['a query that is null', { query: null }],
    ['variables that are a text', { query: viewer, variables: '{}' }],
    ['variables that are a list', { query: viewer, variables: [] }],
    ['variables that are a number', { query: viewer, variables: 1 }],
    ['variables that are true', { query: viewer, variables: true }],
    ['extensions that are a text', { query: viewer, extensions: 'x' }],
    ['extensions that are a list', { query: viewer, extensions: [] }],
  ])('with %s is refused', async (_, body) => {
    expect(await send(body)).toMatchObject({ status: 400, body: { errors: [{ message: expect.stringMatching(/query|variables|extensions/), extensions: { code: 'BAD_REQUEST' } }] } });
  });

  it.each([
    ['a name that is none of them', 'query A { viewer { id } } query B { viewer { id } }', 'C'],
    ['no name for two of them', 'query A { viewer { id } } query B { viewer { id } }', undefined],
    ['a name that every object has', 'query A { viewer { id } }', '__proto__'],
    ['a name that is a number', 'query A { viewer { id } }', 1],
    ['a name that is a megabyte', 'query A { viewer { id } }', 'x'.repeat(1_000_000)],
    ['a document with no operation', 'fragment A on Query { viewer { id } }', undefined],
    ['a document of types', 'type A { a: Int }', undefined],
  ])('with %s is refused', async (_, query, operationName) => {
    const { status, body } = await send({ query, operationName });
    expect({ status, body }).toEqual({ status: 400, body: { errors: [{ message: 'Could not determine what operation to execute.', extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }] } });
  });

  it('with a key twice has the last one', async () => {
    expect((await send('{"query":"{ nothing }","query":"{ viewer { id } }"}')).body).toEqual({ data: { viewer: { id: 'local' } } });
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])('with the surplus variable %s harms nobody', async (name) => {
    expect((await send(`{"query":"{ viewer { id } }","variables":{"${name}":{"polluted":true}}}`)).body).toEqual({ data: { viewer: { id: 'local' } } });
    expect({}).not.toHaveProperty('polluted');
  });

  it.each(['constructor', 'hasOwnProperty', 'toString'])('without the declared variable %s does not find one that every object has', async (name) => {
    const { status, body } = await send({ query: `query ($${name}: ID!) { node(id: $${name}) { id } }`, variables: {} });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ message: `Variable "$${name}" of required type "ID!" was not provided.`, extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('with variables nested 100,000 deep that nobody uses harms nobody', async () => {
    expect((await send(`{"query":"{ viewer { id } }","variables":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`)).body).toEqual({ data: { viewer: { id: 'local' } } });
  });

  it('with a variable of the wrong type, nested 100,000 deep, is refused by name', async () => {
    const { status, body } = await send(`{"query":"query ($a: Int) { agents(first: $a) { edges { cursor } } }","variables":{"a":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ message: expect.stringContaining('Variable "$a" got invalid value'), extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('with 100,000 wrong items names the first fifty', async () => {
    const { status, body, text } = await send({ query: 'mutation ($input: ResolveElicitationsInput!) { resolveElicitations(input: $input) { __typename } }', variables: { input: { ids: Array.from({ length: 100_000 }, () => ({})), action: 'ACCEPT' } } });
    expect(status).toBe(400);
    expect(body.errors[0].message).toContain('at "input.ids[0]"');
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('a document', () => {
  const aliases = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: viewer { id }`).join(' ');

  it.each([
    ['empty', ''],
    ['blank', '   '],
    ['a comment', '# hello'],
    ['no GraphQL', 'select * from session'],
    ['half', '{ viewer {'],
    ['with a NUL', '{ viewer { id } \0 }'],
    ['with an unpaired surrogate', '{ node(id: "\ud800") { id } }'],
    ['with an escaped unpaired surrogate', '{ node(id: "\\ud800") { id } }'],
    ['with a character beyond Unicode', '{ node(id: "\\u{110000}") { id } }'],
    ['with a number that is none', '{ agents(first: 1e) { edges { cursor } } }'],
    ['with a megabyte where a name should be', `{ "${'x'.repeat(1_000_000)}" }`],
    ['of 100,000 brackets', '{'.repeat(100_000)],
    ['of more tokens than the limit', `{ viewer { ${'id '.repeat(4000)} } }`],
    ['with more directives than the limit has tokens', `{ viewer { id ${'@skip(if: false) '.repeat(1000)} } }`],
  ])('that is %s is refused as it is read', async (_, query) => {
    const { status, body, text } = await send({ query });
    expect(status).toBe(400);
    expect(body.errors[0].extensions.code).toMatch(/^(GRAPHQL_PARSE_FAILED|DOCUMENT_TOO_DEEP)$/);
    expect(text.length).toBeLessThan(2000);
  });

  it.each([
    ['a field that is none', '{ nothing }', 'Cannot query field "nothing" on type "Query".'],
    ['a field of every object', '{ constructor __proto__ hasOwnProperty }', 'Cannot query field "constructor" on type "Query".'],
    ['a directive that is none', '{ viewer { ... @defer { id } } }', 'Unknown directive "@defer".'],
    ['a directive a hundred times', `{ viewer { id ${'@skip(if: false) '.repeat(100)} } }`, 'The directive "@skip" can only be used once at this location.'],
    ['a fragment in itself', '{ ...A } fragment A on Query { ...A }', 'Cannot spread fragment "A" within itself.'],
    ['fragments in a circle', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...C } fragment C on Query { ...A }', 'Cannot spread fragment "A" within itself via "B", "C".'],
    ['too many aliases', `{ ${aliases(101)} }`, 'The document has 101 aliases; the limit is 100.'],
    ['too many aliases by fragments of fragments', `{ ${Array.from({ length: 9 }, (_, index) => `b${index}: viewer { ...A }`).join(' ')} } fragment A on Principal { ${Array.from({ length: 12 }, (_, index) => `a${index}: id`).join(' ')} }`, 'The document has 117 aliases; the limit is 100.'],
    ['fields that nest too deep', `{ session(id: "x") { ${'parent { '.repeat(20)} id ${'} '.repeat(20)} } }`, 'The document nests 22 fields; the limit is 16.'],
    ['a variable of a type that is none', 'query ($a: Nothing) { viewer { id } }', 'Unknown type "Nothing".'],
    ['an argument twice', '{ node(id: "a", id: "b") { id } }', 'There can be only one argument named "id".'],
    ['two subscriptions in one', 'subscription { elicitationRequested { id } elicitationResolved { id } }', 'Anonymous Subscription must select only one top level field.'],
  ])('with %s is refused as it is validated', async (_, query, message) => {
    const { status, body } = await send({ query });
    expect(status).toBe(400);
    expect(body.errors.map((error: { message: string }) => error.message)).toContainEqual(expect.stringContaining(message));
  });

  it.each([
    ['field', (name: string) => `{ ${name} }`],
    ['type', (name: string) => `query ($a: ${name}) { viewer { id } }`],
    ['enum value', (name: string) => `mutation { resolveElicitation(input: { elicitationId: "x", action: ${name} }) { __typename } }`],
    ['text for a number', (name: string) => `mutation { createAgent(input: { name: "x", askTimeoutSeconds: "${name}" }) { __typename } }`],
    ['variable', (name: string) => `{ node(id: $${name}) { id } }`],
    ['operation with a hundred mistakes', (name: string) => `query ${name}(${Array.from({ length: 110 }, (_, index) => `$a${index}: Int`).join(' ')}) { viewer { id } }`],
  ])('whose %s is as long as a book is not given back whole, nor a hundred times', async (_, document) => {
    const { status, text } = await send({ query: document('x'.repeat(1_000_000)) });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(150_000);
  });

  it('is not kept with all that it takes, when ever more large ones come', async () => {
    const before = heapAfterCollection();
    for (let index = 0; index < 80; index += 1) await send({ query: `{ a${index}: viewer { id } ${'z '.repeat(3980)} }` });
    expect(heapAfterCollection() - before).toBeLessThan(110_000_000);
  });

  it('whose fragments are used over and over is answered in reasonable time', async () => {
    const fragments = Array.from({ length: 100 }, (_, index) => `fragment F${index} on Query { viewer { id name kind } }`).join(' ');
    const since = performance.now();
    expect((await send({ query: `{ ${Array.from({ length: 100 }, (_, index) => `...F${index}`).join(' ')} } ${fragments}` })).status).toBe(200);
    expect(performance.now() - since).toBeLessThan(5000);
  });
});

describe('a query', () => {
  const first = (field: string, args: string, variables: object) => send({ query: `query (${args}) { ${field} }`, variables });

  it.each([
    ['an id with a NUL', 'node(id: $id) { id }', 'ses_\0'],
    ['an id with an unpaired surrogate', 'node(id: $id) { id }', 'ses_\ud800'],
    ['an id of a megabyte', 'node(id: $id) { id }', 'x'.repeat(1_000_000)],
    ['an id that is SQL', 'session(id: $id) { id }', "' or 1=1 --"],
    ['an id in capitals', 'session(id: $id) { id }', 'SES_01M8QZNTTFE8K879PPBM3VGNZF'],
    ['an id with a line break at its end', 'session(id: $id) { id }', 'ses_01m8qznttfe8k879ppbm3vgnzf\n'],
    ['an empty id', 'agent(id: $id) { id }', ''],
    ['an id of another type', 'policy(id: $id) { id }', 'ses_01m8qznttfe8k879ppbm3vgnzf'],
    ['an id that every object has', 'node(id: $id) { id }', '__proto___'],
  ])('for %s gets null', async (_, field, id) => {
    const { status, body } = await first(field, '$id: ID!', { id });
    expect({ status, data: Object.values(body.data) }).toEqual({ status: 200, data: [null] });
  });

  it.each([
    ['a NUL', 'a\0b'],
    ['an unpaired surrogate', '\ud800'],
    ['100,000 characters', 'x'.repeat(100_000)],
    ['wildcards', '%_\\%'],
    ['SQL', "' or 1=1 --"],
    ['places for parameters', '? ?? $1 :a @b'],
  ])('for sessions whose title has %s finds none, and says so', async (_, search) => {
    await send({ query: 'mutation ($input: CreateAgentInput!) { createAgent(input: $input) { __typename } }', variables: { input: { name: 'searcher' } } });
    const agent = (await send({ query: '{ agents { edges { node { id } } } }' })).body.data.agents.edges[0].node.id;
    await send({ query: 'mutation ($input: CreateSessionInput!) { createSession(input: $input) { __typename } }', variables: { input: { agentId: agent, title: 'a title' } } });
    const { body } = await first('sessions(filter: { search: $search }) { edges { node { id } } }', '$search: String', { search });
    expect(body).toEqual({ data: { sessions: { edges: [] } } });
  });

  it.each([
    ['a page of no items', { first: 0 }, 'from 1 to 100'],
    ['a page of fewer', { first: -1 }, 'from 1 to 100'],
    ['a page of a billion', { first: 2_147_483_647 }, 'from 1 to 100'],
    ['a cursor that is none', { after: 'x' }, 'is not a cursor of this list'],
    ['a cursor of a megabyte', { after: 'x'.repeat(1_000_000) }, 'is not a cursor of this list'],
    ['a cursor with a NUL', { after: 'c2Vz\0' }, 'is not a cursor of this list'],
    ['both ends', { first: 1, last: 1 }, 'not both'],
  ])('for %s is told so', async (_, variables, message) => {
    const { body, text } = await first('agents(first: $first, last: $last, after: $after) { edges { cursor } }', '$first: Int, $last: Int, $after: String', variables);
    expect(body.errors).toMatchObject([{ message: expect.stringContaining(message), extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(text.length).toBeLessThan(1000);
  });
});

describe('a request', () => {
  it.each([
    ['of no type', { 'content-type': '' }, 415],
    ['of text', { 'content-type': 'text/plain' }, 415],
    ['of a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['of an upload', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ['of JSON in another charset', { 'content-type': 'application/json; charset=utf-16' }, 415],
    ['of what only begins like JSON', { 'content-type': 'application/jsonp' }, 415],
    ['that takes nothing that we have', { accept: 'image/png' }, 406],
    ['from a foreign page', { origin: 'https://evil.example' }, 403],
  ])('%s is refused with its status', async (_, headers, status) => {
    const answer = await send({ query: viewer }, headers);
    expect(answer.status).toBe(status);
    expect(answer.body.errors).toHaveLength(1);
  });

  it.each(['mutation { createAgent(input: { name: "by GET" }) { __typename } }', 'query A { viewer { id } } mutation B { createAgent(input: { name: "by GET" }) { __typename } }'])('by GET may not mutate: %s', async (query) => {
    const response = await fetch(`${server.url}?${new URLSearchParams({ query, operationName: query.includes('mutation B') ? 'B' : '' })}`);
    expect(response.status).toBe(405);
    expect((await send({ query: '{ agents { edges { node { name } } } }' })).text).not.toContain('by GET');
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'QUERY'])('by %s is refused', async (method) => {
    const response = await fetch(server.url, { method, body: JSON.stringify({ query: viewer }), headers: { 'content-type': 'application/json' } });
    expect(response.status).toBe(405);
  });

  it.each([
    ['garbage', '\0\x01\x02garbage\r\n\r\n', 400],
    ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]), 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a length and chunks', 'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['two lengths', 'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n{}\n', 400],
    ['a length that is none', 'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n', 400],
    ['chunks that are none', 'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n', 400],
    ['headers larger than a page', `GET /graphql HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['another host', 'GET /graphql?query={viewer{id}} HTTP/1.1\r\nhost: evil.example\r\n\r\n', 421],
    ['a way out of the directory', 'GET /../../etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n', 404],
    ['an address with a NUL', 'GET /graphql?query=%00 HTTP/1.1\r\nhost: localhost\r\naccept: application/graphql-response+json\r\n\r\n', 400],
    ['an address with half an escape', 'GET /graphql?query=%E0%A4%A HTTP/1.1\r\nhost: localhost\r\naccept: application/graphql-response+json\r\n\r\n', 400],
    ['an address that is a URL', 'GET http://evil.example/graphql HTTP/1.1\r\nhost: localhost\r\n\r\n', 404],
  ])('that is %s gets an answer', async (_, bytes, status) => {
    expect(await exchange(server.url, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
