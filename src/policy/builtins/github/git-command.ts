import type { ShellCommand, Word } from '../../shell/command-line.ts';
import { environmentConfig, entryOf, type ConfigEntry } from './git-config.ts';
import { tailOf } from './options.ts';

/** A call of git, its options before the subcommand taken off. */
export interface GitCommand {
  /** Null: none, as in `git --version` or `git --help push`. */
  readonly subcommand: Word | null;
  /** The words behind the subcommand. */
  readonly words: readonly Word[];
  /** Configuration that this call alone gets: `-c`, `--config-env` and the environment. */
  readonly config: readonly ConfigEntry[];
  /** Other configuration, programs or repositories that are not known may count for it. */
  readonly isOpaque: boolean;
}

export function readGitCommand({ words, environment }: ShellCommand): GitCommand {
  const config = [...environmentConfig(environment)];
  let isOpaque = [...environment].some(([name, value]) => opaqueVariables.has(name) || (name === 'GIT_SSH_COMMAND' && !isPlainSsh(value)));
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const name = nameOf(word);
    if (name === '' || !name.startsWith('-')) return { subcommand: word, words: words.slice(at + 1), config, isOpaque };
    if (endings.has(name)) return { subcommand: null, words: [], config, isOpaque };
    const hasValue = name !== word.text || !word.certain;
    const value = hasValue ? tailOf(word, name.length + 1) : words[at + 1];
    if (name === '-c' && value) config.push(entryOf(value));
    if (name === '--config-env' && value) config.push(fromVariable(value, environment));
    if (name === '--exec-path') isOpaque = true;
    if (!hasValue && separateValues.has(name)) at += 1;
  }
  return { subcommand: null, words: [], config, isOpaque };
}

/** Everything up to `=`, where that is known; else nothing. */
function nameOf(word: Word): string {
  const known = word.known[0] ?? '';
  const equals = known.startsWith('--') ? known.indexOf('=') : -1;
  if (equals >= 0) return known.slice(0, equals);
  return word.certain ? word.text : '';
}

/** A command for connections that goes where the address says. */
export function isPlainSsh({ text, certain }: Word): boolean {
  return certain && text.split(/\s+/).every((word, at, words) => plainSshWord.test(word) || words[at - 1] === '-i');
}

const plainSshWord = /^(?:\S*\/)?ssh$|^-[46AaCiqTvx]+$|^-i\S+$|^-o$|^(?:-o)?(?:StrictHostKeyChecking|IdentitiesOnly|IdentityFile|BatchMode|ConnectTimeout|UserKnownHostsFile|LogLevel)=\S*$|^$/i;

/** `key=VARIABLE`. */
function fromVariable(word: Word, environment: ShellCommand['environment']): ConfigEntry {
  const { key, value } = entryOf(word);
  return { key, value: environment.get(value.text) ?? { text: '', certain: false, plural: false, known: ['', ''] } };
}

const separateValues = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--attr-source', '--exec-path=']);

/** Options after which git shows something and ends. */
const endings = new Set(['--help', '-h', '--version', '-v', '--html-path', '--man-path', '--info-path', '--list-cmds']);

/** Variables with which git reads another configuration or runs other programs. */
const opaqueVariables = new Set([
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG', 'GIT_CONFIG_PARAMETERS', 'GIT_EXEC_PATH', 'GIT_SSH', 'GIT_PROXY_COMMAND'],
  ...['HOME', 'XDG_CONFIG_HOME', 'GIT_COMMON_DIR'],
]);
