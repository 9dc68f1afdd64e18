import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A Node process whose lines are read one by one. */
export interface LineProcess {
  /** The next line; rejects when the process ends without one. */
  next(): Promise<string>;
  /** Asks it to stop, and waits until it has. Gives the exit code. */
  stop(): Promise<number | null>;
}

export function run(...args: readonly string[]): LineProcess {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async next() {
      const { done, value } = await lines.next();
      if (done === true) throw new Error(`${args[0]} ended without a word.`);
      return value;
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
