import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { percentile, type Row } from './figures.ts';

const built = path.join(import.meta.dirname, '../../dist/cli/main.js');
const payload = JSON.stringify({ session_id: 'bench', cwd: '/', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' });
const alone = 40;
const together = 50;

/** From the start of a hook's process, as `npm run bundle` builds it, to its first request at the server: one after the other, and many at once. */
export async function hookStart(directory: string): Promise<Row[]> {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    arrivals.set(request.url ?? '', performance.now());
    response.writeHead(401).end('{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function start(name: string): Promise<number> {
    const startedAt = performance.now();
    await run([built, 'hook', 'claude-code'], { HOME: directory, COUNTERSIGN_URL: `http://127.0.0.1:${port}/${name}` });
    return (arrivals.get(`/${name}`) ?? Infinity) - startedAt;
  }

  const figures: number[] = [];
  const empty: number[] = [];
  for (let index = 0; index < alone; index += 1) {
    figures.push(await start(`alone-${index}`));
    empty.push(await startEmpty());
  }
  const crowd = await Promise.all(Array.from({ length: together }, (_, index) => start(`together-${index}`)));
  const emptyCrowd = await Promise.all(Array.from({ length: together }, startEmpty));
  server.close();
  return [
    row(`a hook's start to its first request, p95 of ${alone} alone (an empty Node program: ${p95(empty).toFixed(0)} ms)`, p95(figures), 250),
    row(`hooks' start to their first request, p95 of ${together} at once (empty Node programs: ${p95(emptyCrowd).toFixed(0)} ms)`, p95(crowd), 1000),
  ];
}

async function startEmpty(): Promise<number> {
  const startedAt = performance.now();
  await run(['--eval', '0']);
  return performance.now() - startedAt;
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'], env });
  child.stdin.on('error', () => undefined).end(payload);
  await once(child, 'close');
}

function p95(figures: readonly number[]): number {
  return percentile(figures, 0.95);
}

function row(what: string, milliseconds: number, limit: number): Row {
  return { what, figure: `${milliseconds.toFixed(0)} ms`, bar: `≤ ${limit} ms`, held: milliseconds <= limit };
}
