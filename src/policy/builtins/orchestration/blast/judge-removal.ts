import type { ShellCommand, Word } from '../../../shell/command-line.ts';
import { lossOf } from './catastrophic-path.ts';
import { strictest, type Tier } from './tier.ts';

/** Commands that remove or ruin files: `rm`, `find -delete`, `mv`, `chmod -R` and their kin. */
export function judgeRemoval(command: ShellCommand): Tier | null {
  switch (command.program) {
    case 'rm':
    case 'grm':
      return judgeRm(command);
    case 'srm':
    case 'rimraf':
    case 'trash':
    case 'del-cli':
      return judgeTargets(operandsOf(command.words), command);
    case 'remove-item':
    case 'ri':
      return command.words.some((word) => /^-r/i.test(word.text)) ? judgeTargets(operandsOf(command.words), command) : null;
    case 'rd':
    case 'rmdir':
    case 'del':
    case 'erase':
      return judgeWindows(command);
    case 'find':
    case 'gfind':
      return judgeFind(command);
    case 'mv':
    case 'gmv':
      return operandsOf(command.words).slice(0, -1).some((word) => lossOf(word, command.directory) === 'whole') ? 'catastrophic' : toNowhere(command);
    case 'chmod':
    case 'chown':
    case 'chgrp':
    case 'setfacl':
      return isRecursive(command.words) && operandsOf(command.words).some((word) => lossOf(word, command.directory) === 'whole') ? 'catastrophic' : null;
    case 'rsync':
      return command.words.some((word) => /^--del/.test(word.text)) && lossOf(command.words.at(-1) ?? nothing, command.directory) !== null ? 'catastrophic' : null;
    default:
      return null;
  }
}

const nothing: Word = { text: '', certain: true, plural: false, known: [''] };

/** cmd.exe removes what lies below when it is told `/s`. */
function judgeWindows(command: ShellCommand): Tier | null {
  if (!command.words.some((word) => /^\/s$/i.test(word.text))) return null;
  return judgeTargets(command.words.filter((word) => !/^\/[a-z]$/i.test(word.text)), command);
}

function judgeRm(command: ShellCommand): Tier | null {
  const targets = operandsOf(command.words);
  if (isRecursive(command.words)) return judgeTargets(targets, command);
  // `rm /etc/*` spares what lies deeper, and is bad enough.
  if (targets.some((word) => /[*?[]/.test(word.text) && lossOf(word, command.directory) === 'whole')) return 'risky';
  // An unknown word may hold the option that makes it recursive.
  const mayBeRecursive = command.words.some((word) => !word.certain && word.known[0] === '' && /^[$`]/.test(word.text));
  return mayBeRecursive && targets.some((word) => lossOf(word, command.directory) !== null) ? 'uncertain' : null;
}

function judgeTargets(targets: readonly Word[], { directory }: ShellCommand): Tier {
  return targets.some((word) => lossOf(word, directory) !== null) ? 'catastrophic' : 'risky';
}

/** `-r` or `-R` in any bundle, `--recursive` or a beginning of it. Behind `--` there are only names. */
function isRecursive(words: readonly Word[]): boolean {
  const end = words.findIndex((word) => word.text === '--');
  return words.slice(0, end < 0 ? words.length : end).some(({ text }) => /^-[A-Za-z]*[rR]/.test(text) || /^--r(e(c(u(r(s(i(ve?)?)?)?)?)?)?)?$/.test(text));
}

function operandsOf(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex((word) => word.text === '--');
  return words.filter((word, index) => index !== end && ((end >= 0 && index > end) || !/^-./.test(word.text)));
}

/** What is moved to `/dev/null` is gone. */
function toNowhere({ words }: ShellCommand): Tier | null {
  return words.at(-1)?.text === '/dev/null' ? 'risky' : null;
}

/** `find dir -delete`, or `-exec rm`, removes as `rm -r dir` does, but for what tests leave out. What else `-exec` runs stands as a command of its own. */
function judgeFind({ words, directory }: ShellCommand): Tier | null {
  const start = words.findIndex((word) => /^[-(!]/.test(word.text) && !/^-[HLP]$/.test(word.text));
  const expression = start < 0 ? [] : words.slice(start).map((word) => word.text);
  if (!expression.some((text, index) => text === '-delete' || (runs.has(text) && removers.has(expression[index + 1]?.replace(/^.*\//, '') ?? '')))) return null;
  const roots = words.slice(0, Math.max(0, start)).filter((word) => !/^-[HLP]$/.test(word.text));
  const isFiltered = expression.some((text) => filters.has(text));
  const losses = roots.map((root) => lossOf(root, directory));
  if (losses.some((loss) => loss !== null)) return isFiltered ? strictest(losses.map((loss) => (loss ? 'risky' : null))) : 'catastrophic';
  return isFiltered ? null : 'risky';
}

const runs = new Set(['-exec', '-execdir', '-ok', '-okdir']);

const removers = new Set(['rm', 'unlink', 'shred', 'srm']);

/** Tests that choose among what is found. */
const filters = new Set([
  ...['-name', '-iname', '-path', '-ipath', '-wholename', '-regex', '-iregex', '-mtime', '-mmin', '-atime', '-amin', '-ctime', '-cmin', '-newer'],
  ...['-size', '-empty', '-user', '-group', '-perm', '-newermt', '-inum', '-links', '-nouser', '-lname', '-samefile'],
]);
