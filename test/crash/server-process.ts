import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../src/entities/open-database.ts';
import { createDatabase } from '../support/test-database.ts';
import { rawRows } from '../support/raw-rows.ts';
import { startCli, type CliResult, type RunningCli } from '../support/run-cli.ts';

/** The program as an operator runs it, again and again on one port and one database file. */
export interface ServerProcess {
  readonly url: string;
  readonly wsUrl: string;
  /** Resolves when it serves. */
  start(): Promise<void>;
  /** Starts it, and kills it before it can say that it serves, unless it is quicker. */
  startAndKillAfter(milliseconds: number): Promise<void>;
  /** SIGKILL: it has no chance to do anything. Resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves when it has ended by itself. */
  terminate(): Promise<CliResult>;
  /** What is stored. Only while it does not run. */
  read<Row>(sql: string): Promise<Row[]>;
  /** Kills it, and removes its database. */
  remove(): Promise<void>;
}

export async function prepareServer(env: Record<string, string> = {}): Promise<ServerProcess> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'countersign-crash-'));
  const port = await freePort();
  const database = await createDatabase({ isShared: true });
  let running: RunningCli | null = null;
  const spawn = () => (running = startCli(['serve', '--port', String(port), '--database', database.url], { cwd, env: { COUNTERSIGN_LOG_LEVEL: 'warn', COUNTERSIGN_SECRET_KEY: 'k'.repeat(32), ...env } }));
  const end = async (signal: NodeJS.Signals): Promise<CliResult> => {
    if (!running) throw new Error('It does not run.');
    running.process.kill(signal);
    const result = await running.result;
    running = null;
    return result;
  };

  return {
    url: `http://127.0.0.1:${port}/graphql`,
    wsUrl: `ws://127.0.0.1:${port}/graphql`,
    async start() {
      await spawn().ready;
    },
    async startAndKillAfter(milliseconds) {
      const { ready } = spawn();
      await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, milliseconds))]);
      await end('SIGKILL');
    },
    async kill() {
      await end('SIGKILL');
    },
    terminate: () => end('SIGTERM'),
    async read<Row>(sql: string) {
      const orm = await openDatabase(database.url);
      try {
        return await rawRows<Row>(orm, sql);
      } finally {
        await orm.close();
      }
    },
    async remove() {
      if (running) await end('SIGKILL');
      await database.remove();
      await rm(cwd, { recursive: true });
    },
  };
}

/** Below the ports that the system gives to clients: one of them that calls while no server runs could be given the server's, and so call itself. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
