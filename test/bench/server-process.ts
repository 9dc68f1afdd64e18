import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A server in a process of its own: what is measured shares no event loop with who measures. */
export interface ServerProcess {
  readonly url: string;
  readonly millisecondsToReady: number;
  /** Resident memory, in bytes. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts `node <args>` and waits for a line that ends in a URL. */
export async function startServer(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /https?:\S+$/.exec(line)?.[0];
    if (url === undefined) continue;
    child.stdout.resume();
    return {
      url,
      millisecondsToReady: performance.now() - startedAt,
      residentBytes: async () => Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
      async stop() {
        child.kill('SIGTERM');
        await exited;
      },
    };
  }
  throw new Error(`${args.join(' ')} ended before it was ready.`);
}

export function startCountersign(databaseFile: string, ...flags: readonly string[]): Promise<ServerProcess> {
  return startServer(['src/cli/main.ts', 'serve', '--port', '0', '--database', `sqlite:${databaseFile}`, ...flags]);
}

/** One server of several on a PostgreSQL. */
export function startOnPostgres(url: string): Promise<ServerProcess> {
  return startServer(['src/cli/main.ts', 'serve', '--port', '0', '--database', url], { COUNTERSIGN_SECRET_KEY: 'the-key-of-all-servers-of-the-bench', COUNTERSIGN_LOG_LEVEL: 'warn' });
}

/** A bare Yoga server of the same schema shape whose answers are constants held in memory: the limit. */
export function startBareYoga(): Promise<ServerProcess> {
  return startServer(['test/bench/bare-yoga.ts']);
}
