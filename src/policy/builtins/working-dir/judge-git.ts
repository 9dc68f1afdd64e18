import { mightBe, type ShellCommand, type Word } from '../../shell/command-line.ts';
import { isInside } from './allowed-dirs.ts';
import type { Change, Gates } from './gates.ts';

/** git that runs in another directory (`-C`, `--git-dir`, `--work-tree`, their variables), or that adds, moves or removes a worktree. */
export function judgeGit(command: ShellCommand, gates: Gates): Change | null {
  const { directories, repositories, rest } = readOptions(command.words);
  const what = [...command.environment].filter(([name]) => places.has(name)).map(([name, word]) => `${name}=${word.text}`);
  const change = (isCertain: boolean): Change => ({ what: [...what, 'git', ...command.words.map((word) => word.text)].join(' '), isCertain });
  const worktree = gates.blockWorktree ? worktreeChange(rest) : 'no';
  if (worktree === 'yes') return change(true);
  if (gates.blockCd) {
    const last = directories.at(-1);
    if (last && !(gates.allowed.includes(last) && gates.allowed.includes(joined(directories)))) return change(true);
    const elsewhere = [...repositories, ...[...places].flatMap((name) => command.environment.get(name) ?? [])];
    if (elsewhere.some((place) => !gates.allowed.includes(place) && !(place.certain && isInside(place.text)))) return change(true);
  }
  return worktree === 'maybe' ? change(false) : null;
}

/** Variables that stand for `--git-dir` and `--work-tree`. */
const places = new Set(['GIT_DIR', 'GIT_WORK_TREE']);

interface GitOptions {
  /** The values of `-C`, each relative to the one before. */
  readonly directories: readonly Word[];
  /** The values of `--git-dir`, `--work-tree` and `core.worktree`. */
  readonly repositories: readonly Word[];
  /** The subcommand and what follows. */
  readonly rest: readonly Word[];
}

function readOptions(words: readonly Word[]): GitOptions {
  const directories: Word[] = [];
  const repositories: Word[] = [];
  let at = 0;
  while (at < words.length) {
    const word = words[at];
    const next = words[at + 1];
    if (!word?.text.startsWith('-')) break;
    at += separate.has(word.text) ? 2 : 1;
    const [, name = '', value] = /^(--git-dir|--work-tree)(?:=(.*))?$/s.exec(word.text) ?? [];
    if (word.text === '-C' && next) directories.push(next);
    else if (word.text === '-c' && next && worktreeSetting.test(next.text)) repositories.push({ ...next, text: next.text.replace(worktreeSetting, '') });
    else if (name !== '' && value === undefined && next) repositories.push(next);
    else if (name !== '' && value !== undefined) repositories.push({ ...word, text: value });
  }
  return { directories, repositories, rest: words.slice(at) };
}

const worktreeSetting = /^core\.worktree=/i;

const separate = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--super-prefix', '--attr-source']);

function joined(directories: readonly Word[]): Word {
  const from = directories.findLastIndex((word) => /^[/~]/.test(word.text));
  const used = directories.slice(Math.max(0, from));
  const text = used.map((word) => word.text).join('/');
  return { text, certain: used.every((word) => word.certain), plural: false, known: [text] };
}

/** `git worktree add`, `move` or `remove`; options may stand between the words. */
function worktreeChange([sub, ...args]: readonly Word[]): 'yes' | 'no' | 'maybe' {
  if (!sub || !mightBe(sub, 'worktree')) return 'no';
  const action = args.find((word) => !word.text.startsWith('-'));
  // An unknown subcommand alone might bring its arguments along.
  const isOpen = sub.plural && args.length === 0;
  if (!isOpen && !(action && ['add', 'move', 'remove'].some((name) => mightBe(action, name)))) return 'no';
  return sub.certain && action?.certain ? 'yes' : 'maybe';
}
