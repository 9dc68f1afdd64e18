import { mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../sdk/json.ts';
import { commandLine, withProgram, type Program } from './command-line.ts';
import { drill, type Cell, type Drilled } from './drill.ts';
import type { Environment } from './environment.ts';
import type { Host } from './host.ts';
import { isOurs } from './install-hook.ts';
import { isObject } from './json.ts';
import { isOurPlugin, openCodePlugin, withWords, wordsIn } from './opencode-plugin.ts';
import type { Scope } from './settings.ts';
import { readSettings, SettingsFault, SettingsText } from './settings-file.ts';

export interface Examination {
  readonly host: string;
  readonly title: string;
  readonly scope: Scope;
  readonly file: string;
  /** What is wrong with the settings, and what to do. */
  readonly problems: readonly string[];
  /** Empty: there is no hook to drill. */
  readonly cells: readonly Cell[];
  /** What the host cannot be made to do. */
  readonly gaps: readonly string[];
}

/** A host that is on this machine, in each scope in which it has our hook, or else in the user's. Empty: it is not here. */
export async function examineHost(host: Host, surroundings: Environment): Promise<Examination[]> {
  const places = (['user', 'project'] as const).map((scope) => ({ scope, ...host.settings.place(scope, surroundings) }));
  const scopes = places.filter(({ file }, index) => places.findIndex((each) => each.file === file) === index); // in the home directory both are one
  if (!scopes.some(({ directory, scope }) => scope === 'user' && existsSync(directory)) && !scopes.some(({ file }) => hasOurs(host, file))) return [];
  const installed = scopes.filter(({ file }) => hasOurs(host, file));
  return Promise.all((installed.length > 0 ? installed : scopes.slice(0, 1)).map(({ scope, file }) => examine(host, { scope, file, surroundings })));
}

function hasOurs(host: Host, file: string): boolean {
  const text = readSettings(file);
  return text !== null && (host.settings.hooks.length === 0 ? isOurPlugin(text) : text.includes(` hook ${host.name}`));
}

async function examine(host: Host, { scope, file, surroundings }: { scope: Scope; file: string; surroundings: Environment }): Promise<Examination> {
  const about = { host: host.name, title: host.title, scope, file, gaps: host.settings.gaps };
  const install = `countersign hook install ${host.name}${scope === 'project' ? ' --scope project' : ''}`;
  if (!hasOurs(host, file)) return { ...about, problems: [`it has no hook, so nothing is asked: run ${install}`], cells: [] };
  try {
    const text = readSettings(file) ?? '';
    const { problems, drilled } = host.settings.hooks.length === 0 ? examinePlugin(host, text) : examineSettings(host, new SettingsText(file, text, host.settings.base));
    const cells = drilled ? await drill(drilled, surroundings) : [];
    const isDeaf = cells.some(({ fault, isServersAnswer }) => fault === 'denying' && !isServersAnswer);
    return { ...about, problems: [...problems, ...(isDeaf ? ['the command in it does not start, so everything is denied'] : [])].map((problem) => `${problem}: run ${install}`), cells };
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    return { ...about, problems: [error.message], cells: [] };
  }
}

interface Findings {
  readonly problems: readonly string[];
  readonly drilled: Drilled | null;
}

function examineSettings(host: Host, text: SettingsText): Findings {
  const { settings } = host;
  const lists = text.hooks();
  const problems: string[] = [];
  let drilled: Drilled | null = null;
  for (const [index, hook] of settings.hooks.entries()) {
    const entry = lists[hook.event]?.find((each) => innerOf(each).some((inner) => isOurs(inner, host)));
    const line = entry === undefined ? null : lineIn(innerOf(entry).find((inner) => isOurs(inner, host)));
    if (entry === undefined || line === null) {
      problems.push(`hooks.${hook.event} is missing`);
      continue;
    }
    const program: Program = ['countersign'];
    const isRight = isDeepStrictEqual(entry, settings.entry(hook, line)) && withProgram(line, host, program) === commandLine(program, host, hook);
    if (!isRight) problems.push(`hooks.${hook.event} is not as it is installed`);
    if (index === 0) drilled = drilledBy(host, { line, entry });
  }
  if (settings.disabledBy !== null && text.json()[settings.disabledBy] === true) problems.unshift(`${settings.disabledBy} turns all hooks off: take it out, then`);
  return { problems, drilled };
}

function drilledBy(host: Host, { line, entry }: { line: string; entry: Json }): Drilled {
  const has = Object.entries(host.settings.failClosed ?? {});
  const failsClosed = has.length > 0 && [entry, ...innerOf(entry)].some((each) => isObject(each) && has.every(([key, value]) => each[key] === value));
  return {
    words: async (program) => ['/bin/sh', '-c', program === null ? line : withProgram(line, host, program)],
    stdin: JSON.stringify(host.settings.drill),
    runsAfter: (ending) => host.runsAfter({ ...ending, failsClosed }),
  };
}

function innerOf(entry: Json): readonly Json[] {
  return isObject(entry) && Array.isArray(entry['hooks']) ? (entry['hooks'] as readonly Json[]) : [entry];
}

function lineIn(hook: Json | undefined): string | null {
  const line = isObject(hook) ? (hook['command'] ?? hook['bash']) : null;
  return typeof line === 'string' ? line : null;
}

/** Calls the plugin as opencode does; exit code 0: it has let the tool run. */
const pluginCall = `
const { Countersign } = await import(process.argv[1]);
const { tool, sessionID, callID, args } = JSON.parse(process.argv[2]);
const hooks = await Countersign({ client: { session: { get: async () => ({ data: {} }) } }, directory: '/' });
await hooks['tool.execute.before']({ tool, sessionID, callID }, { args }).then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(String(error.message));
    process.exit(1);
  },
);
`;

function examinePlugin(host: Host, text: string): Findings {
  const words = wordsIn(text);
  if (!words) return { problems: ['it is not as it is installed'], drilled: null };
  const at = words.indexOf('hook');
  const isRight = at > 0 && text === openCodePlugin(words.slice(0, at) as unknown as Program, host);
  const drilled: Drilled = {
    async words(program, folder) {
      await mkdir(folder);
      const file = path.join(folder, 'countersign.mjs');
      await writeFile(file, program === null ? text : withWords(text, [...program, ...words.slice(at)]));
      return [process.execPath, '--input-type=module', '--eval', pluginCall, file, JSON.stringify(host.settings.drill satisfies JsonObject)];
    },
    stdin: '',
    runsAfter: ({ exitCode }) => exitCode === 0,
  };
  return { problems: isRight ? [] : ['it is not as it is installed'], drilled };
}
