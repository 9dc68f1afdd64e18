import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

export interface TestRedis {
  readonly port: number;
  url(port?: number): string;
  /** Stops it, and starts it again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** How many clients listen to a channel of ours. */
  listeners(): Promise<number>;
}

/** Whether this machine has a Redis to test with. Where it has none, whoever asks first says so once. */
export function hasRedis(): boolean {
  const isThere = spawnSync('redis-server', ['--version']).status === 0;
  if (!isThere) process.stderr.write('Left out: events over Redis, because there is no redis-server. Get it with: apt-get install redis-server\n');
  return isThere;
}

export const redisPassword = 'known to the tests only';

/** A real Redis on a free port, with a password and without a file. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const url = (by = port) => `redis://:${encodeURIComponent(redisPassword)}@127.0.0.1:${by}/3`;
  let server: ChildProcess | null = null;
  const start = async () => {
    server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--requirepass', redisPassword], { stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const chunk of server.stdout ?? []) if (String(chunk).includes('Ready to accept connections')) break;
  };
  await start();
  return {
    port,
    url,
    start,
    async stop() {
      const running = server;
      server = null;
      if (!running) return;
      running.kill('SIGCONT');
      running.kill('SIGKILL');
      if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
    },
    signal: (signal) => void server?.kill(signal),
    async listeners() {
      const redis = new Redis(url());
      try {
        const [, count] = (await redis.pubsub('NUMSUB', 'countersign:3')) as [string, number];
        return count;
      } finally {
        redis.disconnect();
      }
    },
  };
}
