import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqliteMigrations } from '../../src/entities/migrations/sqlite/index.ts';
import { post } from '../support/post.ts';
import { startCli, type RunningCli } from '../support/run-cli.ts';

let cwd: string;
let started: RunningCli[];
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'countersign-serve-'));
  started = [];
});
afterEach(async () => {
  for (const { process: child, result } of started) {
    child.kill('SIGKILL');
    await result;
  }
  await rm(cwd, { recursive: true });
});

function serve(args: string[] = [], env: Record<string, string> = {}): RunningCli {
  const running = startCli(['serve', '--port', '0', ...args], { cwd, env });
  started.push(running);
  return running;
}

async function urlOf(running: RunningCli): Promise<string> {
  return (await running.ready).replace('countersign ready ', '');
}

describe('serve', () => {
  it('says where it is in exactly one line on stdout, and logs JSON lines on stderr', async () => {
    const running = serve();
    const line = await running.ready;
    expect(line).toMatch(/^countersign ready http:\/\/127\.0\.0\.1:\d+\/graphql$/);
    const response = await post(await urlOf(running), '{ viewer { name } }');
    expect(await response.json()).toEqual({ data: { viewer: { name: 'Local user' } } });
    running.process.kill('SIGTERM');
    const { code, stdout, stderr } = await running.result;
    expect(code).toBe(0);
    expect(stdout).toBe(`${line}\n`);
    const logged = stderr.trim().split('\n').map((text) => JSON.parse(text));
    expect(logged.map(({ msg }) => msg)).toEqual(['serving', 'shutting down', 'shut down']);
    expect(logged[0]).toMatchObject({ level: 30, database: 'sqlite:countersign.db', migrations: sqliteMigrations.map(({ name }) => name) });
  });

  it('refuses a database that another server serves, with one line, until that one is gone, however it went', async () => {
    const first = serve();
    await first.ready;
    const second = await serve().result;
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toBe('countersign: sqlite:countersign.db is served by another process: stop that one, or give another file with --database\n');
    first.process.kill('SIGKILL');
    await first.result;
    await serve().ready;
  });

  it('puts its database where it is told, and leaves no log of it behind', async () => {
    const running = serve(['--database', 'sqlite:mine.db']);
    await running.ready;
    running.process.kill('SIGINT');
    expect((await running.result).code).toBe(0);
    expect(await readdir(cwd)).toEqual(['mine.db', 'mine.db.key', 'mine.db.lock']);
  });

  it('starts again on the same database', async () => {
    for (let times = 0; times < 2; times += 1) {
      const running = serve();
      await running.ready;
      running.process.kill('SIGTERM');
      expect((await running.result).code).toBe(0);
    }
  });

  it('is there for whoever calls the moment it is ready', async () => {
    const running = serve();
    const url = await urlOf(running);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(url, '{ viewer { id } }').then((response) => response.json())));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"data":{"viewer":{"id":"local"}}}']));
  });

  it('ends at once at a second signal', async () => {
    const running = serve([], { COUNTERSIGN_SHUTDOWN_SECONDS: '1000' });
    const url = new URL(await urlOf(running));
    // A request that never comes to its end keeps the shutdown waiting.
    const socket = await import('node:net').then(({ connect }) => connect(Number(url.port), url.hostname));
    socket.on('error', () => undefined);
    socket.write('POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 100));
    running.process.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(running.process.exitCode).toBeNull();
    running.process.kill('SIGTERM');
    expect((await running.result).code).toBe(2);
    socket.destroy();
  });
});

describe('serve refuses in one line', () => {
  it('a port that is in use, before it touches the database', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as AddressInfo;
    const running = serve(['--port', String(port)]);
    expect(await running.result).toEqual({
      code: 2,
      stdout: '',
      stderr: `countersign: 127.0.0.1:${port} is in use: stop what listens there, or give another port with --port (0: any free one)\n`,
    });
    expect(await readdir(cwd)).toEqual([]);
    holder.close();
  });

  it('an address that others reach', async () => {
    const { code, stderr } = await serve(['--host', '0.0.0.0']).result;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^countersign: Others reach 0\.0\.0\.0, and there are no keys[^\n]*\n$/);
  });

  it('a database that cannot be made', async () => {
    expect(await serve(['--database', 'sqlite:nowhere/mine.db']).result).toEqual({
      code: 2,
      stdout: '',
      stderr: 'countersign: sqlite:nowhere/mine.db cannot be made: its directory does not exist\n',
    });
  });
});
