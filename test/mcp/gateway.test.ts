import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/journey.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { attach, connectThrough, everything, filesystem, listPending, pendingAt, resolve, textOf, type Connected, type ConnectOptions } from './gateway-world.ts';

let server: TestServer;
let folder: string;
const open: Connected[] = [];

beforeEach(async () => {
  server = await startTestServer();
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-mcp-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ client }) => client.close()));
  await server.remove();
  await rm(folder, { recursive: true });
});

async function through(words: readonly string[], options?: ConnectOptions): Promise<Connected> {
  const connected = await connectThrough(server, words, options);
  open.push(connected);
  return connected;
}

const files = (options?: ConnectOptions) => through(['--', ...filesystem(folder)], options);
const noteFile = () => path.join(folder, 'note.txt');
const write = (content: string) => ({ name: 'write_file', arguments: { path: noteFile(), content } });
const note = () => readFile(noteFile(), 'utf8').catch(() => null);

describe('a call of a tool', { timeout: 60_000 }, () => {
  it('runs at once where policies allow it, and its result comes as the server gave it', async () => {
    const { client } = await files();
    const result = await client.callTool(write('hello'));
    expect(textOf(result)).toContain('Successfully wrote');
    expect(result.isError).toBeFalsy();
    expect(await note()).toBe('hello');
  });

  it('waits for a person, and runs when it is accepted', async () => {
    await attach(server);
    const { client } = await files();
    const call = client.callTool(write('hello'));
    const { id, event, session } = await pendingAt(server.url);
    expect(event).toMatchObject({ type: 'tool_call', data: { name: 'write_file', arguments: { content: 'hello' } } });
    expect(session.agent.name).toBe('test-client');
    expect(await note()).toBeNull();
    await resolve(server.url, { elicitationId: id, action: 'ACCEPT' });
    expect((await call).isError).toBeFalsy();
    expect(await note()).toBe('hello');
  });

  it('does not run when it is declined; the model is told why, by whom and under which id', async () => {
    await attach(server);
    const { client } = await files();
    const call = client.callTool(write('hello'));
    const { id } = await pendingAt(server.url);
    await resolve(server.url, { elicitationId: id, action: 'DECLINE', comment: 'Not in this folder.' });
    const result = await call;
    expect(result).toMatchObject({ isError: true, _meta: { 'countersign/denial': { phase: 'TOOL_CALL', decidedBy: 'PERSON', elicitationId: id, wasRun: false } } });
    expect(textOf(result)).toBe(`The tool was not run: Not in this folder.\nDecided by a person, elicitation ${id}.`);
    expect(await note()).toBeNull();
  });

  it('runs with the arguments that the approver has put in their place', async () => {
    await attach(server);
    const { client } = await files();
    const call = client.callTool(write('hello'));
    const { id } = await pendingAt(server.url);
    await resolve(server.url, { elicitationId: id, action: 'ACCEPT', editedArguments: { ...write('edited').arguments } });
    await call;
    expect(await note()).toBe('edited');
  });

  it('has its result withheld when a policy denies that, and says that the tool was run', async () => {
    await attach(server, { params: { action: 'deny', reason: 'No results today.' }, on: [{ phase: 'TOOL_RESULT' }] });
    const { client } = await files();
    const result = await client.callTool(write('hello'));
    expect(textOf(result)).toBe('The tool was run, but its result is withheld: No results today.\nDecided by a policy.');
    expect(result).toMatchObject({ isError: true, _meta: { 'countersign/denial': { phase: 'TOOL_RESULT', wasRun: true } } });
    expect(await note()).toBe('hello');
  });

  it('is judged under the name that the client has for the server, where that is given', async () => {
    await attach(server, { params: { action: 'deny' }, on: [{ phase: 'TOOL_CALL', toolName: 'mcp__files__write_file' }] });
    const { client } = await through(['--name', 'files', '--', ...filesystem(folder)]);
    expect((await client.callTool(write('hello'))).isError).toBe(true);
    expect(await note()).toBeNull();
  });

  it('waits beside others: each has its own decision', async () => {
    await attach(server);
    const { client } = await through(['--', ...everything]);
    const calls = [1, 2, 3, 4, 5].map((a) => client.callTool({ name: 'get-sum', arguments: { a, b: 10 } }));
    const pending = await eventually(async () => {
      const list = await listPending(server.url);
      return list.length === 5 ? list : null;
    });
    for (const { id, event } of pending) {
      const { a } = (event as { data: { arguments: { a: number } } }).data.arguments;
      await resolve(server.url, { elicitationId: id, action: a % 2 === 1 ? 'ACCEPT' : 'DECLINE' });
    }
    const results = await Promise.all(calls);
    expect(results.map(({ isError }) => isError === true)).toEqual([false, true, false, true, false]);
    expect([0, 2, 4].map((index) => textOf(results[index]))).toEqual([1, 3, 5].map((a) => expect.stringContaining(`${a + 10}`)));
  });

  it('that the server itself refuses fails as it does without a gateway', async () => {
    const { client } = await files();
    const outside = await client.callTool({ name: 'read_text_file', arguments: { path: '/etc/passwd' } });
    expect(outside.isError).toBe(true);
    expect(textOf(outside)).toContain('Access denied');
  });
});

describe('a client that no longer waits', { timeout: 60_000 }, () => {
  it('withdraws the question by cancelling, and the tool never runs', async () => {
    await attach(server);
    const { client } = await files();
    const cancel = new AbortController();
    const call = client.callTool(write('hello'), undefined, { signal: cancel.signal });
    call.catch(() => undefined);
    const { id } = await pendingAt(server.url);
    cancel.abort();
    await expect(call).rejects.toThrow();
    await eventually(async () => (await listPending(server.url)).length === 0);
    await expect(resolve(server.url, { elicitationId: id, action: 'ACCEPT' })).rejects.toThrow('AlreadyResolvedError');
    await sleep(200);
    expect(await note()).toBeNull();
  });

  it('has its time limit, which withdraws the question as well', async () => {
    await attach(server);
    const { client } = await files();
    await expect(client.callTool(write('hello'), undefined, { timeout: 1500 })).rejects.toThrow('timed out');
    await eventually(async () => (await listPending(server.url)).length === 0);
    expect(await note()).toBeNull();
  });

  it('leaves, and what it asked is withdrawn', async () => {
    await attach(server);
    const { client } = await files();
    const call = client.callTool(write('hello'));
    call.catch(() => undefined);
    await pendingAt(server.url);
    await client.close();
    await eventually(async () => (await listPending(server.url)).length === 0);
    expect(await note()).toBeNull();
  });

  it('waits on past its time limit when it takes progress for a sign of life', async () => {
    await attach(server);
    const { client } = await files();
    const heard: { progress: number; message?: string | undefined }[] = [];
    const call = client.callTool(write('hello'), undefined, { timeout: 6000, resetTimeoutOnProgress: true, onprogress: (progress) => void heard.push(progress) });
    const { id, url } = await pendingAt(server.url);
    await sleep(8000);
    await resolve(server.url, { elicitationId: id, action: 'ACCEPT' });
    expect((await call).isError).toBeFalsy();
    expect(heard[0]?.message).toContain(url);
    expect(heard.length).toBeGreaterThanOrEqual(2);
    expect(heard.map(({ progress }) => progress)).toEqual(heard.map(({ progress }) => progress).toSorted((a, b) => a - b));
  });
});

describe('when something breaks', { timeout: 90_000 }, () => {
  it('no tool runs while Countersign cannot be reached', async () => {
    const { client } = await files({ env: { COUNTERSIGN_URL: 'http://127.0.0.1:9/graphql' } });
    const result = await client.callTool(write('hello'));
    expect(textOf(result)).toMatch(/^The tool was not run: Not permitted, for nobody could decide: .+\nDecided by nobody\.$/);
    expect(result.isError).toBe(true);
    expect(await note()).toBeNull();
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  });

  it('a call outlives a restart of Countersign, and the person is asked once', async () => {
    const { port } = new URL(server.url);
    await attach(server);
    const { client } = await files();
    const call = client.callTool(write('hello'));
    const { id } = await pendingAt(server.url);
    const before = server;
    await server.close();
    server = await startTestServer({ port: Number(port), database: before.config.database });
    try {
      const again = await pendingAt(server.url);
      expect(again.id).toBe(id);
      await resolve(server.url, { elicitationId: id, action: 'ACCEPT' });
      expect((await call).isError).toBeFalsy();
      expect(await note()).toBe('hello');
      expect(await listPending(server.url)).toEqual([]);
    } finally {
      await before.remove();
    }
  });

  it('the end of the MCP server ends what waits, and the gateway with it, in one line', async () => {
    await attach(server, { on: [{ phase: 'TOOL_CALL', toolName: 'get-sum' }] });
    const { client, said, transport } = await through(['--', ...everything]);
    const { promise: closed, resolve: close } = Promise.withResolvers<undefined>();
    client.onclose = () => close(undefined);
    const held = client.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } });
    const running = client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 30, steps: 3 } });
    held.catch(() => undefined);
    running.catch(() => undefined);
    await pendingAt(server.url);
    const child = await eventually(async () => childOf(transport.pid));
    process.kill(child, 'SIGKILL');
    await expect(held).rejects.toThrow('The MCP server has ended');
    await expect(running).rejects.toThrow('The MCP server has ended');
    await closed;
    expect(said()).toContain('countersign: The MCP server has ended\n');
    await eventually(async () => (await listPending(server.url)).length === 0);
  });

  it('a server that is not there is said in one line', async () => {
    await expect(through(['--', '/nonexistent/server'])).rejects.toThrow('Connection closed');
  });
});

async function childOf(pid: number | null): Promise<number | null> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number(children.trim().split(' ')[0]) || null;
}

describe('the session', { timeout: 60_000 }, () => {
  it('is one for all calls of a gateway, and ends with it', async () => {
    const { client } = await files();
    await Promise.all([client.callTool(write('a')), client.callTool(write('b'))]);
    await client.close();
    const sessions = () => server.openGate().em.getConnection().execute<{ harness: string; ended_at: unknown }[]>('select harness, ended_at from session');
    await eventually(async () => (await sessions())[0]?.ended_at != null);
    expect(await sessions()).toEqual([expect.objectContaining({ harness: 'test-client' })]);
  });
});

it('judges what is rewritten as it is given: the client gets what a policy has made of a result', { timeout: 60_000 }, async () => {
  const policy = path.join(folder, 'policy.ts');
  await writeFile(policy, `import { allow, defineHandler } from ${JSON.stringify(path.join(import.meta.dirname, '../../src/policy/index.ts'))};
export const redact = defineHandler({ name: 'my.redact', title: 'Redact', description: 'Redacts.', phases: ['TOOL_RESULT'], judge: ({ event }) => allow({ data: { result: JSON.stringify(event.data).includes('secret') ? 'redacted' : event.data.result } }) });
`);
  await server.remove();
  server = await startTestServer({ policyModules: [policy] });
  await attach(server, { handler: 'my.redact', params: undefined, on: undefined });
  const { client } = await through(['--', ...everything]);
  expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'a secret' } }))).toBe('redacted');
  expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'plain' } }))).toBe('Echo: plain');
});

it('passes no request without an id on, which a careless server would run unjudged', { timeout: 60_000 }, async () => {
  const careless = `
    const { appendFileSync } = require('node:fs');
    const answers = { initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'careless', version: '1' } }, ping: {} };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'tools/call') appendFileSync(${JSON.stringify(noteFile())}, 'run');
      else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }));
    });`;
  const { client, transport, said } = await through(['--', process.execPath, '-e', careless]);
  await transport.send({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'write', arguments: {} } });
  await client.ping();
  expect(await note()).toBeNull();
  expect(said()).toContain('The client sent "tools/call" without an id');
});
