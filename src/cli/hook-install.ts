import path from 'node:path';
import type { Program } from '../hooks/command-line.ts';
import { environment } from '../hooks/environment.ts';
import { findHost, hosts } from '../hooks/index.ts';
import { planInstallation } from '../hooks/install-hook.ts';
import type { Scope } from '../hooks/settings.ts';
import { writeSettings } from '../hooks/settings-file.ts';
import { UsageFault } from './usage-fault.ts';

export interface HookInstallOptions {
  readonly scope?: string;
  readonly print?: boolean;
  readonly undo?: boolean;
  readonly command?: string;
  readonly json?: boolean;
}

/** Writes a host's settings, or takes ours out of them. Throws a `UsageFault`, or a `SettingsFault` when they cannot be changed. */
export function installHook(name: string, { scope = 'user', print: isPrinted = false, undo = false, command, json = false }: HookInstallOptions): void {
  const host = findHost(name);
  if (!host) throw new UsageFault(`There is no hook for ${JSON.stringify(name)}: it must be one of ${hosts.map((each) => each.name).join(', ')}`);
  if (scope !== 'user' && scope !== 'project') throw new UsageFault(`--scope must be user or project, not ${JSON.stringify(scope)}`);
  if (process.platform === 'win32') throw new UsageFault('The settings are written for POSIX shells: run the agent and this in WSL');
  const program = undo ? null : command === undefined ? programFor(scope) : wordsOf(command);
  const { file, text, isChange } = planInstallation({ host, scope, surroundings: environment(), program });
  if (isPrinted) {
    process.stdout.write(json ? `${JSON.stringify({ file, text })}\n` : (text ?? ''));
    return;
  }
  if (isChange) writeSettings(file, text);
  const done = !isChange ? `${file} is as it should be` : undo ? (text === null ? `removed ${file}` : `${file} is without the hook`) : `wrote ${file}`;
  if (json) process.stdout.write(`${JSON.stringify({ host: host.name, file, changed: isChange })}\n`);
  else process.stdout.write(`${done}\n${undo ? '' : `${host.settings.afterInstall}\nNow \`countersign doctor\` proves that a denied call does not run.\n`}`);
}

/** For one user this very program, wherever it is: what starts a host may have another PATH. A project's settings are shared, so it is found by PATH. */
function programFor(scope: Scope): Program {
  const [, started] = process.argv;
  return scope === 'project' || started === undefined ? ['countersign'] : [process.execPath, path.resolve(started)];
}

function wordsOf(command: string): Program {
  const [first, ...rest] = command.split(' ').filter((word) => word !== '');
  if (first === undefined) throw new UsageFault('--command must be the words that start countersign, e.g. "npx --no-install countersign"');
  return [first, ...rest];
}
