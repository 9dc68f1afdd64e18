import type { Word } from '../../shell/command-line.ts';
import { doubt, strictest, type Finding } from './finding.ts';
import { effectGate, readGate, writeGate } from './gates.ts';
import { configured, type ConfigEntry } from './git-config.ts';
import { readDefaultRemote, readRemote } from './git-remotes.ts';
import { hasOption, readOptions, valuesOf, type OptionTable, type ReadOptions } from './options.ts';
import { unknownRepository } from './repository.ts';
import { branchName, type Rules } from './rules.ts';

/** Judges `git push` by the words behind it; `git send-pack` and `git http-push` take the same. */
export function judgeGitPush(words: readonly Word[], { rules, config, isOpaque }: GitUse): Finding | null {
  const read = readOptions(words, pushOptions);
  if (hasOption(read, ['-h', '--help', '--help-all'])) return null;
  const [named = valuesOf(read, ['--repo']).at(-1), ...refspecs] = read.operands;
  const remotes = named ? readRemote(named, { config, pushes: true }) : readDefaultRemote(config);
  const mentions = isOpaque ? [...remotes, unknownRepository] : remotes;
  // A dry run sends nothing: it tells what would be pushed, and reads from the remote.
  if (isOn(read, ['-n', '--dry-run'])) return readGate(rules, { what: 'git push --dry-run', mentions });
  const pushed = readRefspecs(refspecs);
  const mirrors = isOn(read, ['--mirror']) || configured(config, 'remote.*.mirror').some(isTrue);
  const all = mirrors || isOn(read, ['--all', '--branches']);
  const branches = { names: pushed.branches, unknown: pushed.isUnknown || pushed.matches || all || refspecs.length === 0 };
  return strictest([
    effectGate(rules, {
      what: 'git push',
      forces: mirrors || pushed.forces || isOn(read, ['-f', '--force']) || isOn(read, ['--force-with-lease']) || isOn(read, ['--force-if-includes']),
      deletes: mirrors || pushed.deletes || isOn(read, ['-d', '--delete']) || isOn(read, ['--prune']),
      tags: mirrors || pushed.tags || isOn(read, ['--tags', '--follow-tags']) || configured(config, 'push.followtags').some(isTrue),
    }),
    writeGate(rules, { what: 'git push', mentions, branches, content: true }),
    pushed.isUnknown ? doubt('What git push would push cannot be known from its text.') : null,
    pushed.mayBeTag && rules.denyTags ? doubt('git push may push a tag: the name looks like a version’s.') : null,
    pushesSubmodules(read, config) ? doubt('git push would push submodules too, to remotes that are not known.') : null,
  ]);
}

/** What a call of git is judged with. */
export interface GitUse {
  readonly rules: Rules;
  /** Settings that the line makes. */
  readonly config: readonly ConfigEntry[];
  /** Other settings may count that are not known. */
  readonly isOpaque: boolean;
}

const pushOptions: OptionTable = {
  shortValues: 'o',
  longValues: new Set(['repo', 'push-option', 'receive-pack', 'exec', 'recurse-submodules', 'remote']),
  longFlags: new Set([
    ...['all', 'branches', 'mirror', 'delete', 'tags', 'follow-tags', 'dry-run', 'force', 'force-with-lease', 'force-if-includes', 'prune'],
    ...['porcelain', 'thin', 'set-upstream', 'progress', 'verify', 'signed', 'atomic', 'ipv4', 'ipv6', 'verbose', 'quiet', 'help', 'help-all'],
    ...['no-all', 'no-branches', 'no-mirror', 'no-delete', 'no-tags', 'no-follow-tags', 'no-dry-run', 'no-force', 'no-force-with-lease'],
    ...['no-force-if-includes', 'no-prune', 'no-verify', 'no-thin', 'no-signed', 'no-atomic', 'no-recurse-submodules', 'no-set-upstream'],
    ...['no-porcelain', 'no-progress', 'no-verbose', 'no-quiet', 'stdin', 'stateless-rpc', 'helper-status'],
  ]),
  abbreviates: true,
};

/** Of an option and its `--no-` form the last one counts. */
function isOn({ options }: ReadOptions, names: readonly string[]): boolean {
  const negations = names.map((name) => name.replace('--', '--no-'));
  const last = options.findLast(({ name }) => names.includes(name) || negations.includes(name));
  return last !== undefined && names.includes(last.name);
}

function isTrue({ text, certain }: Word): boolean {
  return !certain || !['false', 'no', 'off', '0', ''].includes(text.toLowerCase());
}

function pushesSubmodules(read: ReadOptions, config: readonly ConfigEntry[]): boolean {
  const given = valuesOf(read, ['--recurse-submodules']);
  const values = given.length > 0 ? given : configured(config, 'push.recursesubmodules');
  return values.some(({ text }) => !['check', 'no', 'false', 'off', '0'].includes(text));
}

interface Refspecs {
  readonly branches: readonly string[];
  readonly tags: boolean;
  readonly mayBeTag: boolean;
  readonly forces: boolean;
  readonly deletes: boolean;
  readonly isUnknown: boolean;
  /** Every branch that exists on both sides is pushed. */
  readonly matches: boolean;
}

function readRefspecs(words: readonly Word[]): Refspecs {
  const branches: string[] = [];
  const found = { tags: false, mayBeTag: false, forces: false, deletes: false, isUnknown: false, matches: false };
  words.forEach((word, at) => {
    const known = word.known[0] ?? '';
    if (known.startsWith('+')) found.forces = true;
    if (!word.certain) {
      found.isUnknown = true;
      return;
    }
    if (word.text === 'tag' && at + 1 < words.length) {
      found.tags = true;
      return;
    }
    if (words[at - 1]?.text === 'tag') return;
    const refspec = word.text.replace(/^\+/, '');
    // `:` pushes every branch that exists on both sides; `^` takes a ref out.
    if (refspec === ':') found.matches = true;
    if (refspec === ':' || refspec.startsWith('^')) return;
    const colon = refspec.indexOf(':');
    if (colon === 0) found.deletes = true;
    const destination = refspec.slice(colon + 1) || refspec.slice(0, colon);
    if (isTag(destination)) found.tags = true;
    else branches.push(branchName(destination));
    if (colon < 0 && version.test(destination)) found.mayBeTag = true;
  });
  return { branches, ...found };
}

/** Also a pattern that matches tags among others. */
function isTag(ref: string): boolean {
  const star = ref.indexOf('*');
  if (star >= 0 && ref.startsWith('refs/') && 'refs/tags/'.startsWith(ref.slice(0, star))) return true;
  return /^(?:refs\/)?tags\//.test(ref);
}

/** `v1`, `1.2.3`, `v2.0-rc1`: a name without the path of its ref may be a tag’s as well as a branch’s. */
const version = /^v?\d+(?:\.\d+)*(?:[-+.](?:alpha|beta|rc|pre)[\w.]*)?$/i;
