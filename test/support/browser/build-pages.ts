import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** Builds console and widget once, as `npm ci` does, before the tests that look at them. */
export async function setup(): Promise<void> {
  await promisify(execFile)('npm', ['run', '-s', 'bundle'], { cwd: path.join(import.meta.dirname, '../../..') });
}
