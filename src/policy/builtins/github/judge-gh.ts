import type { ShellCommand, Word } from '../../shell/command-line.ts';
import { doubt, strictest, type Finding } from './finding.ts';
import { effectGate, readGate, writeGate, type Branches } from './gates.ts';
import { judgeGhApi } from './gh-api.ts';
import { readGhCommand, type GhCommand } from './gh-command.ts';
import { ghCommandKind, localGroups } from './gh-commands.ts';
import { ghOptions } from './gh-options.ts';
import type { Nested } from './nested.ts';
import { hasOption, readOptions, valuesOf, type ReadOptions } from './options.ts';
import { foldHost, readRepository, unknownRepository, type Mention } from './repository.ts';
import { branchName, type Rules } from './rules.ts';

/** Judges a call of gh. `aliases`: those that the line gives to gh. */
export function judgeGh(command: ShellCommand, { rules, aliases, nested }: GhLine): Finding | null {
  const called = readGhCommand(command);
  const { group, action, words } = called;
  if (called.isUnknown) return doubt('Which command of gh runs cannot be known from its text.');
  if (group === '') return null;
  const surroundings = mentionsOf(command.environment);
  if (group === 'api') return judgeGhApi(words, { rules, mentions: surroundings });
  if (group === 'auth') return judgeAuth(called);
  if (group === 'extension' && action === 'exec') return doubt('gh would run an extension, and what that does is not known.');
  if (localGroups.has(group)) return null;
  if (group === 'codespace' && action === 'ssh') return doubt('gh would run commands in a codespace.');
  const kind = ghCommandKind(group, action);
  if (!kind) return judgeForeign(called, { aliases, nested, isSupposed: command.supposed });
  const read = readOptions(words, ghOptions(group, action));
  if (hasOption(read, ['--help'])) return null;
  const what = `gh ${group} ${action.replace('/', ' ')}`;
  const mentions = ghMentions(called, { read, surroundings, writes: kind.writes });
  if (!kind.writes) return readGate(rules, { what, mentions });
  const isKnown = mentions.length > 0 && mentions.every((mention) => mention.kind === 'repository');
  return strictest([
    effectGate(rules, {
      what,
      deletes: kind.deletes || (group === 'pr' && isSet(read, ['--delete-branch', '-d']) && ['merge', 'close'].includes(action)),
      // Without a repository the question is where, and a person answers it.
      tags: isKnown && group === 'release' && createsTag(action, read),
      forces: group === 'repo' && action === 'sync' && isSet(read, ['--force']),
    }),
    writeGate(rules, { what, mentions, ...branchesOf(called, read) }),
  ]);
}

/** The aliases that a call of gh sets: name → what it stands for. */
export function ghAliasOf(command: ShellCommand): readonly [name: string, expansion: Word] | null {
  const { group, action, words } = readGhCommand(command);
  if (group !== 'alias' || action !== 'set') return null;
  const { operands, options } = readOptions(words, ghOptions(group, action));
  const [name, expansion] = operands;
  if (!name || !expansion) return null;
  const isShell = options.some((option) => option.name === '-s' || option.name === '--shell');
  return [name.text, isShell ? { ...expansion, text: `!${expansion.text}` } : expansion];
}

export interface GhLine {
  readonly rules: Rules;
  readonly aliases: ReadonlyMap<string, Word>;
  readonly nested: Nested;
}

function judgeAuth({ action, words }: GhCommand): Finding | null {
  const shows = action === 'token' || (action === 'status' && words.some(({ text }) => /^(?:--show-token|-[a-z]*t[a-z]*)$/.test(text)));
  const isHelper = action === 'git-credential' && words.some(({ text }) => text === 'get');
  const isHelp = words.some(({ text }) => text === '--help');
  return (shows || isHelper) && !isHelp ? doubt(`gh auth ${action} shows the key to GitHub.`) : null;
}

/** A command that is none of gh's: an alias, or an extension. */
function judgeForeign({ group, action, words }: GhCommand, { aliases, nested, isSupposed }: Pick<GhLine, 'aliases' | 'nested'> & { isSupposed: boolean }): Finding | null {
  const alias = aliases.get(group);
  if (!alias) return isSupposed ? null : doubt(`What gh ${group} does is not known: it may be an alias or an extension.`);
  const rest = action === '' ? words : [{ text: action, certain: true, plural: false, known: [action] }, ...words];
  return nested.judgeLine(alias.text.startsWith('!') ? alias.text.slice(1) : `gh ${alias.text}`, rest);
}

/** What the environment says about the repository. */
function mentionsOf(environment: ShellCommand['environment']): readonly Mention[] {
  const repository = environment.get('GH_REPO');
  const host = environment.get('GH_HOST');
  const isElsewhere = host !== undefined && (!host.certain || foldHost(host.text) !== 'github.com');
  return [...(repository ? [mentionOf(repository)] : []), ...(isElsewhere ? [unknownRepository] : [])];
}

interface Naming {
  readonly read: ReadOptions;
  readonly surroundings: readonly Mention[];
  readonly writes: boolean;
}

function ghMentions({ group, action }: GhCommand, { read, surroundings, writes }: Naming): readonly Mention[] {
  const named = valuesOf(read, ['--repo', '-R']).map(mentionOf);
  const operands = read.operands.flatMap((word, at) => mentionsOfOperand(word, { group, action, at, writes }));
  const mentions = [...named, ...operands, ...surroundings];
  if (!writes) return mentions;
  const owners = valuesOf(read, group === 'secret' || group === 'variable' ? ['--owner', '--org', '-o'] : ['--owner', '--org']);
  const isOthers = owners.some(({ text }) => mentions.some((mention) => mention.kind === 'repository' && !mention.name.startsWith(`${text.toLowerCase()}/`)));
  const isPersonal = group === 'secret' && isSet(read, ['--user', '-u']);
  return isOthers || isPersonal ? [...mentions, unknownRepository] : mentions;
}

interface OperandPlace {
  readonly group: string;
  readonly action: string;
  readonly at: number;
  readonly writes: boolean;
}

function mentionsOfOperand(word: Word, { group, action, at, writes }: OperandPlace): readonly Mention[] {
  // In these groups an address among the operands counts more than --repo.
  const takesAddress = ['pr', 'issue', 'repo', 'project', 'discussion'].includes(group);
  if (!word.certain) return writes && (takesAddress || word.plural) ? [unknownRepository] : [];
  const isName = (group === 'repo' && at === 0 && !action.includes('/')) || (group === 'issue' && action === 'transfer' && at === 1);
  if (!isName && !/^[^/]*:|^github\.com\//i.test(word.text)) return [];
  const mention = readRepository(word.text);
  return mention.kind === 'repository' || (isName && word.text.includes('/')) ? [mention] : [];
}

function branchesOf({ group, action }: GhCommand, read: ReadOptions): { branches: Branches; content: boolean } {
  const words = valuesOf(read, branchOptions[`${group}/${action}`] ?? ['--base', '-B']);
  const names = words.filter((word) => word.certain).map(({ text }) => branchName(text));
  const branches = { names, unknown: words.some((word) => !word.certain) };
  return { branches, content: landing.has(`${group}/${action}`) };
}

/** Options that name the branch that is written. */
const branchOptions: Readonly<Record<string, readonly string[]>> = {
  'issue/develop': ['--name', '-n'],
  'repo/sync': ['--branch', '-b'],
  'workflow/run': ['--ref', '-r'],
};

/** Commands that put content on a branch. The branch of a merge is the pull request's. */
const landing = new Set(['pr/merge', 'pr/update-branch', 'repo/sync', 'issue/develop']);

function createsTag(action: string, read: ReadOptions): boolean {
  if (isSet(read, ['--verify-tag'])) return false;
  return action === 'create' || (action === 'edit' && hasOption(read, ['--tag']));
}

/** A flag that is given and not switched off by `=false`. */
function isSet({ options }: ReadOptions, names: readonly string[]): boolean {
  return options.some(({ name, value }) => names.includes(name) && !['false', '0', 'f'].includes(value?.text.toLowerCase() ?? ''));
}

function mentionOf(word: Word): Mention {
  return word.certain ? readRepository(word.text) : unknownRepository;
}
