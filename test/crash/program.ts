import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCli, type CliResult, type RunningCli } from '../support/run-cli.ts';

/** The program as an operator runs it, again and again on one port and one database. */
export interface Program {
  /** Where it answers, without a path. */
  readonly origin: string;
  readonly url: string;
  readonly wsUrl: string;
  /** Of the process that runs. Null: none does. */
  pid(): number | null;
  /** How it ended without being told to. Null: it did not. */
  crash(): CliResult | null;
  /** Resolves when it serves. `env` is for this start alone. */
  start(env?: Record<string, string>): Promise<void>;
  /** Starts it, and kills it before it can say that it serves, unless it is quicker. */
  startAndKillAfter(milliseconds: number): Promise<void>;
  /** SIGKILL: it has no chance to do anything. Resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves when it has ended by itself. */
  terminate(): Promise<CliResult>;
  /** A signal that it outlives. */
  signal(signal: NodeJS.Signals): void;
  /** Kills it, and removes its directory. */
  remove(): Promise<void>;
}

export async function prepareProgram(database: string, env: Record<string, string> = {}): Promise<Program> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'countersign-program-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let running: RunningCli | null = null;
  let crash: CliResult | null = null;
  let isEnding = false;
  const spawn = (more: Record<string, string> = {}): RunningCli => {
    const spawned = startCli(['serve', '--port', String(port), '--database', database], { cwd, env: { COUNTERSIGN_LOG_LEVEL: 'warn', COUNTERSIGN_SECRET_KEY: 'k'.repeat(32), ...env, ...more } });
    running = spawned;
    void spawned.result.then((result) => {
      if (running === spawned && !isEnding) crash = result;
    });
    return spawned;
  };
  const current = (): RunningCli => {
    if (!running) throw new Error('It does not run.');
    return running;
  };
  const end = async (signal: NodeJS.Signals): Promise<CliResult> => {
    const ending = current();
    isEnding = true;
    ending.process.kill(signal);
    const result = await ending.result;
    running = null;
    isEnding = false;
    return result;
  };

  return {
    origin,
    url: `${origin}/graphql`,
    wsUrl: `ws://127.0.0.1:${port}/graphql`,
    pid: () => running?.process.pid ?? null,
    crash: () => crash,
    async start(more) {
      await spawn(more).ready;
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
    signal: (signal) => void current().process.kill(signal),
    async remove() {
      if (running) await end('SIGKILL');
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
