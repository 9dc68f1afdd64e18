import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly process: ChildProcess;
  /** The first line on stdout. Rejects when there is none. */
  readonly ready: Promise<string>;
  readonly result: Promise<CliResult>;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
}

const root = path.join(import.meta.dirname, '../..');

/** Starts the program as a user does, in a process of its own. */
export function startCli(args: readonly string[], { cwd, env = {} }: CliOptions): RunningCli {
  const child = spawn(process.execPath, [path.join(root, 'src/cli/main.ts'), ...args], { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env } });
  let stdout = '';
  let stderr = '';
  const ready = Promise.withResolvers<string>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    const [line] = stdout.split('\n');
    if (line !== undefined && stdout.includes('\n')) ready.resolve(line);
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const result = new Promise<CliResult>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  void result.then(({ code }) => ready.reject(new Error(`It ended with ${String(code)} and said: ${stderr}`)));
  ready.promise.catch(() => undefined);
  return { process: child, ready: ready.promise, result };
}

export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).result;
}
