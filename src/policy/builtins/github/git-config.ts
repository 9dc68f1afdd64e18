import type { ShellCommand, Word } from '../../shell/command-line.ts';
import { readOptions, tailOf, valuesOf, type OptionTable } from './options.ts';

/** One setting of git's configuration that a command line makes. */
export interface ConfigEntry {
  /** `section.subsection.variable`, the outer two in lower case; empty where it is not known. */
  readonly key: string;
  readonly value: Word;
}

/** A `key=value` as `-c` takes it; a key alone is true. */
export function entryOf(word: Word): ConfigEntry {
  const known = word.known[0] ?? '';
  const equals = known.indexOf('=');
  if (equals < 0) return { key: word.certain ? configKey(word.text) : '', value: certainWord('true') };
  return { key: configKey(known.slice(0, equals)), value: tailOf(word, equals + 1) };
}

/** `GIT_CONFIG_KEY_<n>` and `GIT_CONFIG_VALUE_<n>`. */
export function environmentConfig(environment: ShellCommand['environment']): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  for (const [name, word] of environment) {
    const value = name.startsWith('GIT_CONFIG_KEY_') ? environment.get(name.replace('KEY', 'VALUE')) : undefined;
    if (value) entries.push({ key: word.certain ? configKey(word.text) : '', value });
  }
  return entries;
}

/** What `git config` and `git remote` write, from the words behind the subcommand. */
export function writtenConfig(subcommand: string, words: readonly Word[]): readonly ConfigEntry[] {
  if (subcommand === 'config') return configWritten(words);
  return subcommand === 'remote' ? remoteWritten(words) : [];
}

/** Stands for settings that are not known: any may be among them. */
export const anySetting: ConfigEntry = { key: '', value: certainWord('') };

function certainWord(text: string): Word {
  return { text, certain: true, plural: false, known: [text] };
}

/** Values that the configuration gives under a key, `*` standing for any subsection. */
export function configured(config: readonly ConfigEntry[], pattern: string): readonly Word[] {
  if (config.length === 0) return [];
  const [section = '', variable = ''] = pattern.split('.*.');
  const isMatch = (key: string): boolean =>
    key === pattern || (variable !== '' && key.startsWith(`${section}.`) && key.endsWith(`.${variable}`) && key.length > section.length + variable.length + 1);
  return config.filter(({ key }) => isMatch(key)).map(({ value }) => value);
}

function configWritten(words: readonly Word[]): readonly ConfigEntry[] {
  const { operands } = readOptions(words, configOptions);
  const [key, value] = operands[0]?.text === 'set' && operands.length > 2 ? operands.slice(1) : operands;
  return key && value ? [{ key: key.certain ? configKey(key.text) : '', value }] : [];
}

function remoteWritten(words: readonly Word[]): readonly ConfigEntry[] {
  const [action, ...rest] = words;
  const read = readOptions(rest, remoteOptions);
  const [name, address] = read.operands;
  if (!name || !address || !['add', 'set-url', 'rename'].includes(action?.text ?? '')) return [];
  const key = name.certain ? name.text : '';
  if (action?.text === 'rename') return [{ key: `remote.${address.text}.renamed`, value: name }];
  const mirrors = valuesOf(read, ['--mirror']).map((value) => ({ key: `remote.${key}.mirror`, value }));
  return [{ key: `remote.${key}.url`, value: address }, ...mirrors];
}

function configKey(text: string): string {
  const first = text.indexOf('.');
  const last = text.lastIndexOf('.');
  return first < 0 ? text.toLowerCase() : text.slice(0, first).toLowerCase() + text.slice(first, last) + text.slice(last).toLowerCase();
}

const configOptions: OptionTable = {
  shortValues: 'ft',
  longValues: new Set(['file', 'blob', 'type', 'default', 'comment', 'value', 'url']),
  longFlags: new Set([
    ...['global', 'system', 'local', 'worktree', 'add', 'append', 'replace-all', 'all', 'fixed-value', 'includes', 'show-origin', 'null'],
    ...['get', 'get-all', 'get-regexp', 'get-urlmatch', 'unset', 'unset-all', 'list', 'edit', 'bool', 'int', 'path', 'name-only', 'show-scope'],
  ]),
  abbreviates: true,
};

const remoteOptions: OptionTable = {
  shortValues: 'tm',
  longValues: new Set(['master', 'track']),
  longFlags: new Set(['tags', 'no-tags', 'fetch', 'mirror', 'push', 'add', 'delete', 'progress', 'no-progress', 'verbose']),
  abbreviates: true,
};
