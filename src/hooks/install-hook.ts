import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../sdk/json.ts';
import { commandLine, mark, type Program } from './command-line.ts';
import type { Environment } from './environment.ts';
import type { Host } from './host.ts';
import { isObject } from './json.ts';
import { isOurPlugin, openCodePlugin } from './opencode-plugin.ts';
import type { Scope } from './settings.ts';
import { readSettings, SettingsFault, SettingsText } from './settings-file.ts';

export interface Installation {
  readonly file: string;
  /** What the file is to have; null: it is to go. */
  readonly text: string | null;
  /** False: the file is as it should be. */
  readonly isChange: boolean;
}

export interface InstallRequest {
  readonly host: Host;
  readonly scope: Scope;
  readonly surroundings: Environment;
  /** What the settings call. Null: nothing any more, ours is taken out. */
  readonly program: Program | null;
}

/** What the host's settings become; nothing is written. Whatever else is in them stays. Throws a `SettingsFault`. */
export function planInstallation({ host, scope, surroundings, program }: InstallRequest): Installation {
  const { file } = host.settings.place(scope, surroundings);
  const text = readSettings(file);
  return host.settings.hooks.length === 0 ? planPlugin(host, { file, text, program }) : planSettings(host, { file, text, program });
}

interface Known {
  readonly file: string;
  readonly text: string | null;
  readonly program: Program | null;
}

function planSettings(host: Host, { file, text, program }: Known): Installation {
  const { settings } = host;
  const edited = new SettingsText(file, text, settings.base);
  const before = edited.json();
  removeOurs(edited, host);
  if (program === null) {
    const isEmpty = isDeepStrictEqual(edited.json(), settings.base) || isDeepStrictEqual(edited.json(), {});
    return { file, text: text === null || isEmpty ? null : edited.text, isChange: text !== null && !isDeepStrictEqual(edited.json(), before) };
  }
  for (const hook of settings.hooks) edited.append(hook.event, settings.entry(hook, commandLine(program, host, hook)));
  const isChange = text === null || !isDeepStrictEqual(edited.json(), before);
  return { file, text: isChange ? edited.text : text, isChange };
}

/** Also where somebody has put a hook of their own into a group of ours. */
function removeOurs(edited: SettingsText, host: Host): void {
  for (const [event, entries] of Object.entries(edited.hooks())) {
    for (const [index, entry] of [...entries.entries()].reverse()) {
      const inner = isObject(entry) && Array.isArray(entry['hooks']) ? (entry['hooks'] as readonly Json[]) : [entry];
      const ours = inner.map((hook) => isOurs(hook, host));
      if (ours.every(Boolean)) edited.remove(['hooks', event, index]);
      else for (const at of [...ours.keys()].reverse()) if (ours[at]) edited.remove(['hooks', event, index, 'hooks', at]);
    }
    if (entries.length > 0 && edited.hooks()[event]?.length === 0) edited.remove(['hooks', event]);
  }
  if (isDeepStrictEqual(edited.json()['hooks'], {})) edited.remove(['hooks']);
}

/** Whether a hook in the settings is one that we have written for this host. */
export function isOurs(hook: Json, { name }: Host): boolean {
  const line = isObject(hook) ? (hook['command'] ?? hook['bash']) : null;
  return typeof line === 'string' && line.includes(` hook ${name}`) && line.trimEnd().endsWith(mark);
}

function planPlugin(host: Host, { file, text, program }: Known): Installation {
  if (text !== null && !isOurPlugin(text)) throw new SettingsFault(`${file} is there and not ours: move it away; nothing was changed`);
  const wanted = program === null ? null : openCodePlugin(program, host);
  return { file, text: wanted, isChange: wanted !== text };
}
