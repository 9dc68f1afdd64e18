import type { ShellCommand, Word } from '../../shell/command-line.ts';

/** The directories and files that a call of git writes, beside the working tree that it is called in. */
export function gitWrites({ words, environment }: ShellCommand): readonly Word[] {
  const { directories, repositories, rest } = readPlaces(words);
  const [sub, ...args] = rest;
  if (!sub) return [];
  const options = outputOptions.get(sub.text) ?? [];
  const outputs = args.flatMap((word, at) => options.flatMap((option) => valueOf(word, args[at + 1], option)));
  const target = targets.get(sub.text)?.(operandsOf(args));
  const here = [...directories, ...repositories, ...variables.flatMap((name) => environment.get(name) ?? [])];
  return [...(isChange(sub.text, args) ? here : []), ...outputs, ...(target ? [target] : []), ...hooksOf(sub.text, args)];
}

interface Places {
  readonly directories: readonly Word[];
  readonly repositories: readonly Word[];
  readonly rest: readonly Word[];
}

function readPlaces(words: readonly Word[]): Places {
  const directories: Word[] = [];
  const repositories: Word[] = [];
  let at = 0;
  for (; words[at]?.text.startsWith('-'); at += 1) {
    const [word, next] = [words[at], words[at + 1]];
    if (!word) break;
    if (word.text === '-C' && next) directories.push(next);
    for (const option of ['--git-dir', '--work-tree']) repositories.push(...valueOf(word, next, option));
    if (separate.has(word.text)) at += 1;
  }
  return { directories, repositories, rest: words.slice(at) };
}

const separate = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--super-prefix', '--attr-source']);

const variables = ['GIT_DIR', 'GIT_WORK_TREE'];

function valueOf(word: Word, next: Word | undefined, option: string): readonly Word[] {
  if (word.text === option) return next ? [next] : [];
  if (!word.text.startsWith(`${option}=`)) return [];
  const [first = '', ...others] = word.known;
  return [{ ...word, text: word.text.slice(option.length + 1), known: [first.slice(option.length + 1), ...others] }];
}

function operandsOf(args: readonly Word[]): readonly Word[] {
  return args.filter((word, at) => !word.text.startsWith('-') && !valued.has(args[at - 1]?.text ?? ''));
}

const valued = new Set(['-b', '-B', '-o', '--origin', '--branch', '--depth', '-c', '--config', '-j', '--jobs', '--reference', '--template', '--filter', '--initial-branch', '--reason']);

function isChange(sub: string, args: readonly Word[]): boolean {
  if (changing.has(sub)) return true;
  if (sub === 'branch' || sub === 'tag' || sub === 'remote') return args.some((word) => /^-[dDmMcCf]$|^(?:add|remove|rename|set-url)$/.test(word.text)) || (sub !== 'remote' && operandsOf(args).length > 0 && !args.some((word) => /^-(?:l|-list|-contains|-merged)/.test(word.text)));
  if (sub === 'stash') return !['list', 'show'].includes(args[0]?.text ?? '');
  return sub === 'worktree' || sub === 'submodule' ? args.some((word) => /^(?:add|move|remove|update|init|deinit|prune)$/.test(word.text)) : false;
}

/** Subcommands that change the working tree or the repository. */
const changing = new Set([
  ...['add', 'am', 'apply', 'checkout', 'cherry-pick', 'clean', 'commit', 'filter-branch', 'init', 'merge', 'mv', 'pull', 'read-tree'],
  ...['rebase', 'reset', 'restore', 'revert', 'rm', 'sparse-checkout', 'switch', 'update-index', 'update-ref'],
]);

const outputOptions: ReadonlyMap<string, readonly string[]> = new Map([
  ['archive', ['-o', '--output']],
  ['format-patch', ['-o', '--output-directory']],
  ...['diff', 'log', 'show'].map((name): [string, string[]] => [name, ['--output']]),
]);

/** The operand that is a new directory or file. */
const targets: ReadonlyMap<string, (operands: readonly Word[]) => Word | undefined> = new Map([
  ['clone', (operands: readonly Word[]) => operands[1]],
  ['init', (operands: readonly Word[]) => operands[0]],
  ['worktree', ([action, path, to]: readonly Word[]) => (action?.text === 'add' ? path : action?.text === 'move' ? to : undefined)],
  ['bundle', ([action, path]: readonly Word[]) => (action?.text === 'create' ? path : undefined)],
]);

/** `git config core.hooksPath x` makes git run what lies there. */
function hooksOf(sub: string, args: readonly Word[]): readonly Word[] {
  if (sub !== 'config') return [];
  const at = args.findIndex((word) => /^core\.(?:hookspath|fsmonitor)$/i.test(word.text));
  return at >= 0 && at + 1 < args.length ? [{ text: '.git/config', certain: true, plural: false, known: ['.git/config'] }] : [];
}
