import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Program } from './command-line.ts';
import { drillAgent, drillReason, serverFaults, startDrillServer } from './drill-server.ts';
import type { Environment } from './environment.ts';
import type { Ending } from './host.ts';

/** What goes wrong in a drill, with a call that is denied: something with the server, or with the hook itself. */
export const faults = [...serverFaults, 'missing binary', 'killed hook'] as const;

export type Fault = (typeof faults)[number];

export interface Cell {
  readonly fault: Fault;
  /** Whether the host would have run the tool, by its documented reading of exit code and output. */
  readonly runs: boolean;
  readonly exitCode: number | null;
  /** The host is told what the server said, and not that something failed. */
  readonly isServersAnswer: boolean;
  readonly milliseconds: number;
}

/** How a host starts its hook, as its settings say. */
export interface Drilled {
  /** The words to run; `program`: this one stands in for countersign; null: countersign itself. */
  words(program: Program | null, folder: string): Promise<Program>;
  readonly stdin: string;
  runsAfter(ending: Omit<Ending, 'failsClosed'>): boolean;
}

/** Far beyond the time in which a hook answers, and within that of the shortest host. */
const longestMilliseconds = 60_000;

/** Every fault, all at once, each with a hook process of its own that knows neither the user's server nor their token. */
export async function drill(drilled: Drilled, { variables }: Environment): Promise<Cell[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'countersign-doctor-'));
  const server = await startDrillServer();
  try {
    const killed = path.join(folder, 'killed');
    await writeFile(killed, '#!/bin/sh\nkill -KILL $$\n', { mode: 0o700 });
    const stands: Partial<Record<Fault, Program>> = { 'missing binary': [path.join(folder, 'missing')], 'killed hook': [killed] };
    return await Promise.all(
      faults.map(async (fault, index): Promise<Cell> => {
        const words = await drilled.words(stands[fault] ?? null, path.join(folder, String(index)));
        const url = server.urlFor(fault === 'missing binary' || fault === 'killed hook' ? 'denying' : fault);
        const env = { ...variables, COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: 'drill', COUNTERSIGN_AGENT: drillAgent, XDG_STATE_HOME: path.join(folder, `state-${index}`), XDG_CONFIG_HOME: path.join(folder, 'config') };
        const startedAt = performance.now();
        const ending = await run(words, { env, stdin: drilled.stdin });
        return { fault, runs: drilled.runsAfter(ending), exitCode: ending.exitCode, isServersAnswer: `${ending.stdout}${ending.stderr}`.includes(drillReason), milliseconds: Math.round(performance.now() - startedAt) };
      }),
    );
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run([program, ...rest]: Program, { env, stdin }: { env: NodeJS.ProcessEnv; stdin: string }): Promise<Omit<Ending, 'failsClosed'>> {
  const child = spawn(program, rest, { env, stdio: 'pipe', detached: true }); // a group of its own, so that all of it can be ended
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), longestMilliseconds);
  child.stdin.on('error', () => undefined).end(stdin); // who is killed reads nothing
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close').then(([code]) => code as number | null)]);
  clearTimeout(timer);
  return { stdout, stderr, exitCode };
}
