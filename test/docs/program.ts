import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A program of the documentation, run as its reader would, on this Node. */
export interface Program {
  /** What it has written so far, stdout and stderr together. */
  readonly output: string;
  /** Waits until its output matches; fails with the output when it ends before. */
  says(pattern: RegExp): Promise<void>;
  type(line: string): void;
  stop(): Promise<void>;
  /** The exit code, once it has ended; null: it was killed. */
  readonly exit: Promise<number | null>;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const nodeFirst = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);

export function run(command: string, args: readonly string[], { cwd, env = {} }: RunOptions): Program {
  const child = spawn(command, args, { cwd, stdio: 'pipe', env: { PATH: nodeFirst, HOME: cwd, NODE_NO_WARNINGS: '1', ...env } });
  let output = '';
  let hasEnded = false;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      tell();
    });
  }
  const exit = once(child, 'close').then(([code]) => {
    hasEnded = true;
    tell();
    return code as number | null;
  });

  return {
    get output() {
      return output;
    },
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (pattern.test(output)) resolve();
          else if (hasEnded) reject(new Error(`It ended without ${String(pattern)} and said: ${output}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
    type: (line) => void child.stdin.write(`${line}\n`),
    async stop() {
      child.kill();
      await exit;
    },
    exit,
  };
}
