import type { ShellCommand, Word } from '../../shell/command-line.ts';
import { atMostDoubt, doubt, type Finding } from './finding.ts';
import { noBranches, readGate, writeGate } from './gates.ts';
import { isPlainSsh, readGitCommand } from './git-command.ts';
import { configured, writtenConfig, type ConfigEntry } from './git-config.ts';
import { judgeGitPush, type GitUse } from './git-push.ts';
import { readDefaultRemote, readRemote, redirects } from './git-remotes.ts';
import { customarySubcommands, localSubcommands, readingSubcommands, transferOptions } from './git-subcommands.ts';
import { optionTable, readOptions, valuesOf } from './options.ts';
import { readRepository, unknownRepository } from './repository.ts';
import type { Rules } from './rules.ts';

/**
 * Judges a call of git; the commands that git runs in turn (aliases, editors, `submodule foreach` …) are commands of the line by
 * themselves. `settings`: those that the line writes into git’s configuration.
 */
export function judgeGit(command: ShellCommand, { rules, settings }: GitLine): Finding | null {
  const { subcommand, words, config: own, isOpaque } = readGitCommand(command);
  if (!subcommand) return null;
  const config = [...settings, ...own];
  const isAnyConfig = config.some(({ key }) => key === '' || key === 'include.path' || key.startsWith('includeif.'));
  const isOtherSsh = configured(config, 'core.sshcommand').some((value) => !isPlainSsh(value));
  const use: GitUse = { rules, config, isOpaque: isOpaque || isAnyConfig || isOtherSsh };
  return subcommand.certain ? judgeSubcommand({ name: subcommand.text, words, isSupposed: command.supposed }, use) : judgeUnknown(words, use);
}

/** The settings that calls of git in a line write. */
export function settingsOf(command: ShellCommand): readonly ConfigEntry[] {
  if (!command.words.some(({ text }) => text === 'config' || text === 'remote')) return [];
  const { subcommand, words } = readGitCommand(command);
  return subcommand ? writtenConfig(subcommand.text, words) : [];
}

export interface GitLine {
  readonly rules: Rules;
  readonly settings: readonly ConfigEntry[];
}

interface Called {
  readonly name: string;
  readonly words: readonly Word[];
  readonly isSupposed: boolean;
}

function judgeSubcommand({ name, words, isSupposed }: Called, use: GitUse): Finding | null {
  const { rules, config } = use;
  if (words[0]?.text === '--help') return null;
  if (readingSubcommands.has(name)) return judgeTransfer(name, { words, use });
  switch (name) {
    case 'push':
    case 'send-pack':
    case 'http-push':
      return judgeGitPush(words, use);
    case 'config':
      return judgeConfig(words, rules);
    case 'archive':
      return judgeArchive(words, use);
    case 'remote':
      return judgeRemote(words, use);
    case 'submodule':
      return ['update', 'add'].includes(action(words)) ? readGate(rules, { what: `git submodule ${action(words)}`, mentions: [unknownRepository] }) : null;
    case 'lfs':
      return judgeLfs(words, use);
    case 'subtree':
      return judgeSubtree(words, use);
    case 'svn':
      return ['dcommit', 'set-tree', 'commit-diff', 'branch', 'tag'].includes(action(words)) ? judgeElsewhere('git svn', use) : null;
    case 'for-each-repo':
      return judgeForEach(words, { isSupposed, use });
    case 'credential':
    case 'credential-store':
    case 'credential-cache':
      return ['fill', 'get'].includes(action(words)) ? doubt(`git ${name} shows the password for GitHub.`) : null;
    case 'remote-http':
    case 'remote-https':
    case 'remote-ext':
    case 'remote-fd':
    case 'p4':
    case 'cvsexportcommit':
    case 'cvsserver':
    case 'daemon':
      return judgeElsewhere(`git ${name}`, use);
    default:
      if (localSubcommands.has(name)) return null;
  }
  // What it stands for is among the commands of the line.
  if (configured(config, `alias.${name.toLowerCase()}`).length > 0) return null;
  const namesRepository = words.some((word) => word.text.includes('github') && readRepository(word.text).kind === 'repository');
  if (!namesRepository && (isSupposed || customarySubcommands.has(name))) return null;
  return doubt(`What git ${name} does is not known: it may be an alias, or a program that pushes.`);
}

/** The subcommand is not known. If it is many words, the next ones may be it. */
function judgeUnknown(words: readonly Word[], use: GitUse): Finding | null {
  const at = words.findIndex((word) => word.certain && word.text === 'push');
  const pushed = at < 0 ? null : atMostDoubt(judgeGitPush(words.slice(at + 1), use));
  return pushed ?? doubt('Which subcommand of git runs cannot be known from its text.');
}

/** `git for-each-repo --config=<key> <subcommand> …` calls git in many repositories. */
function judgeForEach(words: readonly Word[], { isSupposed, use }: { isSupposed: boolean; use: GitUse }): Finding | null {
  const at = words.findIndex((word, index) => !word.text.startsWith('--') && words[index - 1]?.text !== '--config');
  const name = at < 0 ? '' : (words[at]?.text ?? '');
  return name === '' || name === 'for-each-repo' ? null : judgeSubcommand({ name, words: words.slice(at + 1), isSupposed }, use);
}

function judgeTransfer(name: string, { words, use: { rules, config, isOpaque } }: { words: readonly Word[]; use: GitUse }): Finding | null {
  if (rules.readAll) return null;
  const [remote] = readOptions(words, transferOptions).operands;
  const mentions = remote ? readRemote(remote, { config, pushes: false }) : [unknownRepository];
  return readGate(rules, { what: `git ${name}`, mentions: isOpaque ? [...mentions, unknownRepository] : mentions });
}

/** A setting is harmless until it makes the address of a writable repository mean another one. */
function judgeConfig(words: readonly Word[], { writable }: Rules): Finding | null {
  const isRedirected = writtenConfig('config', words).some((entry) => redirects(entry, writable));
  return isRedirected ? doubt('git config would let the address of a writable repository reach another one.') : null;
}

function judgeArchive(words: readonly Word[], { rules, config }: GitUse): Finding | null {
  const remotes = valuesOf(readOptions(words, optionTable('o', 'format output prefix add-file remote exec', 'list verbose')), ['--remote']);
  const mentions = remotes.flatMap((remote) => readRemote(remote, { config, pushes: false }));
  return remotes.length === 0 ? null : readGate(rules, { what: 'git archive', mentions });
}

function judgeRemote(words: readonly Word[], { rules, config }: GitUse): Finding | null {
  const contacts = ['update', 'show', 'prune', 'set-head'].includes(action(words)) || words.some(({ text }) => text === '-f' || text === '--fetch');
  if (!contacts) return null;
  const [, ...names] = readOptions(words, optionTable('tm', 'track master', 'fetch')).operands;
  return readGate(rules, { what: 'git remote', mentions: names.flatMap((name) => readRemote(name, { config, pushes: false })) });
}

function judgeLfs(words: readonly Word[], { rules, config }: GitUse): Finding | null {
  const read = readOptions(words, optionTable('oIX', 'object-id include exclude remote ref path id', 'dry-run all stdin force'));
  const [verb, remote] = read.operands;
  const mentions = remote ? readRemote(remote, { config, pushes: true }) : readDefaultRemote(config);
  const what = `git lfs ${verb?.text ?? ''}`;
  if (['push', 'pre-push', 'lock', 'unlock'].includes(verb?.text ?? '')) {
    const isDry = read.options.some(({ name }) => name === '--dry-run' || name === '-d');
    return isDry ? readGate(rules, { what, mentions }) : writeGate(rules, { what, mentions, branches: noBranches, content: false });
  }
  return ['pull', 'fetch', 'clone', 'smudge', 'checkout', 'locks'].includes(verb?.text ?? '') ? readGate(rules, { what, mentions }) : null;
}

function judgeSubtree(words: readonly Word[], use: GitUse): Finding | null {
  const [verb, ...operands] = readOptions(words, optionTable('Pmb', 'prefix message annotate branch onto', 'quiet debug rejoin squash')).operands;
  if (verb?.text === 'push') return judgeGitPush(operands, use);
  if (verb?.text !== 'add' && verb?.text !== 'pull') return null;
  const mentions = operands.slice(0, 1).flatMap((remote) => readRemote(remote, { config: use.config, pushes: false }));
  return operands.length < 2 ? null : readGate(use.rules, { what: `git subtree ${verb.text}`, mentions });
}

function judgeElsewhere(what: string, { rules }: GitUse): Finding | null {
  return writeGate(rules, { what, mentions: [unknownRepository], branches: noBranches, content: false });
}

/** The first word that is no option. */
function action(words: readonly Word[]): string {
  return words.find((word) => !word.text.startsWith('-'))?.text ?? '';
}
