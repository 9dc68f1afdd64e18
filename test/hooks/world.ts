import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { freshBuild } from '../../src/cli/fresh-build.ts';
import type { JsonObject } from '../../src/sdk/json.ts';

export interface HookResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HookProcess {
  readonly result: Promise<HookResult>;
  /** What it prints, parsed. */
  readonly said: Promise<JsonObject>;
  kill(signal: NodeJS.Signals): void;
}

/** The built program while it is fresh, which is what users get, else the source. */
const build = freshBuild();
export const program = [process.execPath, build === null ? path.join(import.meta.dirname, '../../src/cli/main.ts') : path.join(path.dirname(build), 'main.js')] as const;

/** A home directory of its own, removed after the test. */
export async function newHome(): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'countersign-home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

export interface HookOptions {
  readonly home: string;
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After `hook`: the host, and options. */
  readonly words: readonly string[];
}

/** Starts a hook as its host does, with this payload, or text, on stdin. */
export function startHook(payload: JsonObject | string, { home, url, env = {}, words }: HookOptions): HookProcess {
  return startProgram([...program, 'hook', ...words], { stdin: typeof payload === 'string' ? payload : JSON.stringify(payload), env: { HOME: home, COUNTERSIGN_URL: url, ...env } });
}

export function startProgram([command = '', ...args]: readonly string[], { stdin, env, cwd }: { stdin: string; env: Readonly<Record<string, string>>; cwd?: string }): HookProcess {
  const child = spawn(command, args, { stdio: 'pipe', env: { PATH: process.env.PATH, ...env }, ...(cwd === undefined ? {} : { cwd }) });
  child.stdin.on('error', () => undefined).end(stdin);
  const result = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr }));
  return {
    result,
    get said() {
      return result.then(({ code, stdout, stderr }) => {
        if (code !== 0) throw new Error(`It ended with ${String(code)} and said: ${stderr}`);
        return JSON.parse(stdout) as JsonObject;
      });
    },
    kill: (signal) => void child.kill(signal),
  };
}
