import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { getIntrospectionQuery } from 'graphql';
import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { loadConfig } from '../../src/config.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const viewer = '{ viewer { id } }';
const watch = 'subscription { elicitationRequested { id } }';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const file = (name: string) => path.join(folder, name);

let folder: string;
let server: TestServer | null = null;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-trusted-'));
  await writeFile(file('documents.json'), JSON.stringify({ [hashOf(viewer)]: viewer, [`sha256:${hashOf(watch)}`]: watch }));
  await writeFile(file('forged.json'), JSON.stringify({ [hashOf(viewer)]: '{ viewer { id name } }' }));
  await writeFile(file('list.json'), JSON.stringify([viewer]));
});
afterEach(async () => {
  await server?.remove();
  server = null;
});
afterAll(() => rm(folder, { recursive: true }));

async function start(name: string | null = 'documents.json'): Promise<TestServer> {
  server = await startTestServer({ trustedDocuments: { enabled: true, file: name && file(name) } });
  return server;
}

type Request = Readonly<Record<string, unknown>>;

async function overHttp({ url }: TestServer, body: Request, accept = 'application/json') {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept }, body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as { data?: unknown; errors?: { extensions: { code: string } }[] }) };
}

async function overWebSocket({ wsUrl }: TestServer, payload: Request): Promise<unknown> {
  const client = createClient({ url: wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
  try {
    return (await client.iterate({ query: '', ...payload }).next()).value;
  } catch (errors) {
    return { errors };
  } finally {
    client.terminate();
  }
}

const refused = (code: string) => ({ errors: [{ extensions: { code } }] });
const known = { data: { viewer: { id: 'local' } } };

describe('a server that takes trusted documents only', () => {
  it.each([
    ['its text', { query: viewer }],
    ['its hash as documentId', { documentId: hashOf(viewer) }],
    ['its hash as documentId with the algorithm', { documentId: `sha256:${hashOf(viewer)}` }],
    ['its hash as a persisted query', { extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(viewer) } } }],
  ])('takes one by %s, over HTTP and WebSockets', async (_by, request) => {
    const started = await start();
    expect(await overHttp(started, request)).toEqual({ status: 200, ...known });
    expect(await overWebSocket(started, request)).toEqual(known);
  });

  it('takes one by a GET', async () => {
    const { url } = await start();
    const get = async (search: Record<string, string>) => (await fetch(`${url}?${String(new URLSearchParams(search))}`)).json();
    expect(await get({ documentId: hashOf(viewer) })).toEqual(known);
    expect(await get({ query: '{ viewerRoles }' })).toMatchObject(refused('PERSISTED_QUERY_ONLY'));
  });

  it.each([
    ['another text', { query: '{ viewer { id name } }' }, 'PERSISTED_QUERY_ONLY'],
    ['a text that differs by a blank', { query: ` ${viewer}` }, 'PERSISTED_QUERY_ONLY'],
    ['another text beside the hash of a known one', { query: '{ viewer { name } }', documentId: hashOf(viewer) }, 'PERSISTED_QUERY_ONLY'],
    ['introspection', { query: getIntrospectionQuery() }, 'PERSISTED_QUERY_ONLY'],
    ['no document', {}, 'PERSISTED_QUERY_ONLY'],
    ['a hash that is none', { documentId: 7 }, 'PERSISTED_QUERY_ONLY'],
    ['an unknown hash', { documentId: hashOf('x') }, 'PERSISTED_QUERY_NOT_FOUND'],
    ['the name of a property of every object', { documentId: 'constructor' }, 'PERSISTED_QUERY_NOT_FOUND'],
  ])('refuses %s, over HTTP and WebSockets', async (_what, request, code) => {
    const started = await start();
    expect(await overHttp(started, request)).toMatchObject({ status: 400, ...refused(code) });
    expect(await overWebSocket(started, request)).toMatchObject(refused(code));
  });

  it('takes and refuses subscriptions alike, as an event stream and over WebSockets', async () => {
    const started = await start();
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const gone = new AbortController();
    const stream = await fetch(started.url, { method: 'POST', headers, body: JSON.stringify({ documentId: hashOf(watch) }), signal: gone.signal });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    gone.abort();
    const other = 'subscription { elicitationResolved { id } }';
    const response = await fetch(started.url, { method: 'POST', headers, body: JSON.stringify({ query: other }) });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('PERSISTED_QUERY_ONLY')]);
    expect(await overWebSocket(started, { query: other })).toMatchObject(refused('PERSISTED_QUERY_ONLY'));
  });

  it("takes what this project's own clients send, without a file", async () => {
    const started = await start(null);
    const own = JSON.parse(await readFile(new URL('../../src/http/trusted-documents.json', import.meta.url), 'utf8')) as Record<string, string>;
    const [hash, pending] = Object.entries(own).find(([, text]) => text.includes('query Pending')) ?? [];
    for (const request of [{ query: pending }, { documentId: hash }]) expect(await overHttp(started, { ...request, variables: { sessionId: 'ses_x' } })).toEqual({ status: 200, data: { session: null } });
    expect(await overHttp(started, { query: viewer })).toMatchObject(refused('PERSISTED_QUERY_ONLY'));
  });

  it.each([
    ['forged.json', `trustedDocuments.file: FILE has a document under ${hashOf(viewer)} whose SHA-256 is ${hashOf('{ viewer { id name } }')}`],
    ['list.json', 'trustedDocuments.file: FILE must hold an object of documents by their SHA-256, { "<hash>": "<text>" }'],
    ['missing.json', 'trustedDocuments.file: FILE cannot be read: ENOENT'],
  ])('does not start on %s', async (name, message) => {
    await expect(start(name)).rejects.toThrow(message.replace('FILE', file(name)));
  });

  it('finds the file beside its configuration', async () => {
    await writeFile(file('countersign.config.json'), '{ "trustedDocuments": { "enabled": true, "file": "documents.json" } }');
    expect((await loadConfig({ env: {}, file: file('countersign.config.json') })).trustedDocuments).toEqual({ enabled: true, file: file('documents.json') });
  });
});

describe('any other server', () => {
  it('takes any document, and no hashes', async () => {
    server = await startTestServer();
    expect(await overHttp(server, { query: viewer })).toEqual({ status: 200, ...known });
    expect(await overHttp(server, { documentId: hashOf(viewer) })).toMatchObject({ status: 400 });
  });
});

describe("the manifest of this project's clients", () => {
  it('is what they send', async () => {
    await promisify(execFile)(process.execPath, ['.config/trusted-documents.ts', '--check'], { cwd: path.join(import.meta.dirname, '../..') });
  });
});
