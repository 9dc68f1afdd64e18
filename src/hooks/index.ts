import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import type { Host } from './host.ts';
import { opencode } from './opencode.ts';

/** The coding agents that we are a hook of. */
export const hosts: readonly Host[] = [claudeCode, codex, cursor, geminiCli, opencode, copilot];

export function findHost(name: string): Host | undefined {
  return hosts.find((host) => host.name === name);
}
