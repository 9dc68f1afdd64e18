import { vi } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import type { CliResult } from '../support/run-cli.ts';

/** Runs a command in this process: what tests of many command lines can afford. */
export async function inProcess(...args: string[]): Promise<CliResult> {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const code = await runCommand(args);
    return { code, stdout: textOf(stdout.mock.calls), stderr: textOf(stderr.mock.calls) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

function textOf(calls: readonly (readonly unknown[])[]): string {
  return calls.map(([text]) => String(text)).join('');
}
