import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { eventually } from '../support/journey.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { attach, connectThrough, everything, listPending, pendingAt, resolve, textOf, type Connected } from './gateway-world.ts';

describe('an MCP server over streamable HTTP', { timeout: 60_000 }, () => {
  let server: TestServer;
  let upstream: ChildProcess;
  let connected: Connected;

  beforeEach(async () => {
    server = await startTestServer();
    const port = await freePort();
    const [node = '', program = ''] = everything;
    upstream = spawn(node, [program, 'streamableHttp'], { env: { PATH: process.env.PATH, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
    if (upstream.stderr) await once(upstream.stderr, 'data');
    const url = `http://127.0.0.1:${port}/mcp`;
    await eventually(async () => (await fetch(url).catch(() => null)) !== null);
    connected = await connectThrough(server, ['--url', url]);
  }, 60_000);
  afterEach(async () => {
    await connected.client.close();
    upstream.kill('SIGKILL');
    await server.remove();
  });

  it('runs a call once it is accepted', async () => {
    await attach(server);
    const call = connected.client.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } });
    await resolve(server.url, { elicitationId: (await pendingAt(server.url)).id, action: 'ACCEPT' });
    expect(textOf(await call)).toContain('3');
  });

  it('that is killed is an error of each call that it had, and of each one after', async () => {
    const running = connected.client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 2 } }, undefined, { timeout: 50_000 });
    running.catch(() => undefined);
    await new Promise((done) => setTimeout(done, 1000));
    upstream.kill('SIGKILL');
    await expect(connected.client.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } })).rejects.toThrow('The MCP server cannot be reached');
    await expect(running).rejects.toThrow(/The connection to 127\.0\.0\.1:\d+ ended before the answer came/);
    expect(await listPending(server.url)).toEqual([]);
  });
});

describe('a gateway that is called wrongly', { timeout: 60_000 }, () => {
  it.each([
    [['mcp'], 'Give the MCP server that it is to stand before: its command behind --, or its address with --url'],
    [['mcp', '--url', 'ftp://x'], '--url must be a URL of http or https, not "ftp://x"'],
    [['mcp', '--url', 'http://x', '--header', 'Authorization: Bearer ${NO_SUCH}'], '--header Authorization: there is no variable NO_SUCH'],
    [['mcp', '--name', 'a b', '--', 'x'], '--name must be what the client calls the server: 1 to 64 letters, digits, _, - and .'],
    [['mcp', '--', '/nonexistent/server'], 'The MCP server cannot be started: spawn /nonexistent/server ENOENT'],
  ])('says of %j what would be right, in one line', async (words, message) => {
    expect(await runCli(words, { cwd: '/tmp' })).toEqual({ code: 2, stdout: '', stderr: `countersign: ${message}\n` });
  });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
