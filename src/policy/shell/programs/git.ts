import { anything, plainWords } from '../flow.ts';
import { field, type Call, type Field, type Frame, type Machine, type ProgramHandler } from '../machine.ts';
import { isKnown } from '../marks.ts';
import { quoteFields } from '../quote.ts';

/** git itself, what its aliases stand for, and the commands that its options and settings hold. */
export const git: ProgramHandler = (call, machine) => {
  const { settings, rest } = readGlobals(call);
  machine.emit(call);
  const all = [...settings, ...settingsOfEnvironment(call)];
  for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG']) {
    const file = call.frame.scope.variables.get(name)?.values[0]?.[0];
    if (file !== undefined && call.frame.scope.written(file)) machine.unknown('git reads settings that are not known', file, { mentions: (program) => program === 'git' });
  }
  for (const [key, value] of all) configure(key, value, { frame: call.frame, machine });
  const [sub, ...args] = rest;
  if (!sub) return plainWords;
  if (!isKnown(sub.text)) return anything;
  const aliases = all.filter(([key]) => key.toLowerCase() === `alias.${sub.text.toLowerCase()}`).map(([, value]) => value);
  for (const alias of [...aliases, ...(call.frame.scope.gitAliases.get(sub.text.toLowerCase()) ?? []).map(field)]) {
    const globals = call.args.slice(0, call.args.length - rest.length);
    expandAlias(alias, { args, globals, frame: call.frame, machine });
  }
  runSubcommand(sub.text, args, { call, machine });
  return plainWords;
};

type Setting = readonly [key: string, value: Field];

interface Place {
  readonly frame: Frame;
  readonly machine: Machine;
}

/** The options before the subcommand, and what `-c` sets. */
function readGlobals({ args, frame }: Call): { settings: readonly Setting[]; rest: readonly Field[] } {
  const settings: Setting[] = [];
  let at = 0;
  while (at < args.length) {
    const { text, plural } = args[at] ?? { text: '', plural: false };
    if (!text.startsWith('-') || text === '-') break;
    const next = args[at + 1];
    at += separate.has(text) ? 2 : 1;
    const [, key, variable] = /^--config-env=([^=]+)=(\w+)$/.exec(text) ?? (text === '--config-env' ? /^()([^=]+)=(\w+)$/.exec(next?.text ?? '')?.slice(1) : null) ?? [];
    const value = variable === undefined ? undefined : frame.scope.variables.get(variable)?.values[0]?.[0];
    if (key !== undefined && value !== undefined) settings.push([key, field(value)]);
    const setting = text === '-c' ? next : text.startsWith('-c') && !text.startsWith('--') ? { text: text.slice(2), plural } : null;
    if (setting) settings.push(splitSetting(setting));
  }
  return { settings, rest: args.slice(at) };
}

const separate = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--super-prefix', '--attr-source', '--shallow-file']);

function splitSetting({ text, plural }: Field): Setting {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, field('true')] : [text.slice(0, equals), { text: text.slice(equals + 1), plural }];
}

/** `GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push`. */
function settingsOfEnvironment({ frame }: Call): readonly Setting[] {
  const { variables } = frame.scope;
  if (variables.size === 0) return [];
  const found: Setting[] = [];
  const parameters = variables.get('GIT_CONFIG_PARAMETERS')?.values[0]?.[0] ?? '';
  for (const [, key = '', value = ''] of parameters.matchAll(/'([^'=]+)'?='?([^']*)'/g)) found.push([key, field(value)]);
  for (const [name, { values }] of variables.entries()) {
    if (!name.startsWith('GIT_CONFIG_KEY_')) continue;
    const [, index] = /^GIT_CONFIG_KEY_(\d+)$/.exec(name) ?? [];
    const key = values[0]?.[0];
    if (index === undefined || key === undefined) continue;
    const value = variables.get(`GIT_CONFIG_VALUE_${index}`)?.values[0]?.[0];
    if (value !== undefined) found.push([key, field(value)]);
  }
  return found;
}

/** Settings that hold commands. */
const commandSettings =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|pager\.\w+|sequence\.editor|credential(\..*)?\.helper|diff\.external|diff\..*\.(command|textconv)|difftool\..*\.cmd|mergetool\..*\.cmd|merge\..*\.driver|filter\..*\.(clean|smudge|process)|gpg(\..*)?\.program|gpg\.ssh\.defaultkeycommand|interactive\.difffilter|remote\..*\.(uploadpack|receivepack)|uploadpack\.packobjectshook|sendemail\..*cmd|browser\..*\.cmd|man\..*\.cmd|trailer\..*\.(command|cmd)|init\.defaulttemplate|receive\..*hook)$/i;

function configure(key: string, value: Field, { frame, machine }: Place): void {
  if (!isKnown(key)) return machine.unknown('a setting of git is not known', machine.marks.show(`${key}=${value.text}`), { words: null, mentions: (name) => name === 'git' });
  const [, alias] = /^alias\.(.+)$/i.exec(key) ?? [];
  if (alias !== undefined) {
    if (value.text.startsWith('!')) runShell(value.text.slice(1), frame, machine);
    return;
  }
  if (/^include(if\..*)?\.path$/i.test(key)) machine.unknown('git reads settings that are not known', value.text, { mentions: (name) => name === 'git' });
  if (!commandSettings.test(key)) return;
  runShell(value.text.replace(/^!/, ''), frame, machine);
}

function runShell(text: string, frame: Frame, machine: Machine): void {
  machine.runText(text, { ...frame, scope: frame.scope.child(), depth: frame.depth + 1 });
}

interface AliasPlace extends Place {
  readonly args: readonly Field[];
  readonly globals: readonly Field[];
}

/** `git p x` with `alias.p` is `git push x`; with `!` before it, a command line. `globals` are the options that stand before. */
function expandAlias(alias: Field, { args, globals, frame, machine }: AliasPlace): void {
  const there = { ...frame, depth: frame.depth + 1 };
  if (alias.text.startsWith('!')) return runShell(`${alias.text.slice(1)} ${quoteFields(args)}`, there, machine);
  const words = machine.wordsOf(alias.text, there);
  // An alias may stand for another one, but a chain has an end.
  if (frame.depth < aliasDepthMax) machine.runExternal([field('git'), ...globals, ...words, ...args], there);
}

const aliasDepthMax = 12;

interface Running {
  readonly call: Call;
  readonly machine: Machine;
}

/** Subcommands that run command lines. */
function runSubcommand(sub: string, args: readonly Field[], { call, machine }: Running): void {
  const { frame } = call;
  const line = (text: string): void => runShell(text, frame, machine);
  const valueOf = (pattern: RegExp): readonly string[] =>
    args.flatMap(({ text }, index) => {
      const [, attached] = pattern.exec(text) ?? [];
      return attached === undefined ? [] : [attached === '' ? (args[index + 1]?.text ?? '') : attached.replace(/^=/, '')];
    });
  for (const { text } of args) if (/^ext::/.test(text)) line(text.slice(5).replaceAll('% ', '\\ '));
  for (const pack of valueOf(/^--(?:upload-pack|receive-pack|exec)(=.*|)$/s)) if (!['rebase', 'archive'].includes(sub) && !['bash', 'git-upload-pack'].includes(pack)) line(pack);
  switch (sub) {
    case 'submodule': {
      const at = args.findIndex((word) => word.text === 'foreach');
      const words = at < 0 ? [] : args.slice(at + 1).filter((word) => !/^(--recursive|-q|--quiet)$/.test(word.text));
      if (words.length > 0) line(words.length === 1 ? (words[0]?.text ?? '') : quoteFields(words));
      return;
    }
    case 'bisect':
      if (args[0]?.text === 'run') machine.runExternal(args.slice(1), frame);
      return;
    case 'rebase':
      return valueOf(/^(?:-x|--exec)(.*)$/s).forEach(line);
    case 'filter-branch':
      return valueOf(/^--(?:setup|subdirectory-filter|env-filter|tree-filter|index-filter|parent-filter|msg-filter|commit-filter|tag-name-filter)(.*)$/s).forEach(line);
    case 'difftool':
      return valueOf(/^(?:-x|--extcmd)(.*)$/s).forEach(line);
    case 'grep':
      return valueOf(/^(?:-O|--open-files-in-pager=)(.+)$/s).forEach(line);
    case 'for-each-repo':
    case 'hook':
      return;
    case 'config':
      return recordSetting(args, { frame, machine });
    default:
  }
}

/** `git config alias.p push` counts for what follows. */
function recordSetting(args: readonly Field[], { frame, machine }: Place): void {
  const words = args.filter((word) => !word.text.startsWith('-') && word.text !== 'set');
  const at = words.findIndex((word) => /^[\w-]+\..+/.test(word.text) || !isKnown(word.text));
  const [key, value] = words.slice(Math.max(0, at));
  if (!key || !value) return;
  const [, alias] = /^alias\.(.+)$/i.exec(key.text) ?? [];
  if (alias === undefined) configure(key.text, value, { frame, machine });
  else frame.scope.gitAliases.set(alias.toLowerCase(), [value.text]);
}
