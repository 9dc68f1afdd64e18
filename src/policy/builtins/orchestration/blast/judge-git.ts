import { mightBe, type ShellCommand, type Word } from '../../../shell/command-line.ts';
import { strictest, type Tier } from './tier.ts';

/** git: pushes, resets to a remote branch, and what wipes untracked files or history. */
export function judgeGit({ program, words }: ShellCommand): Tier | null {
  if (program !== 'git' && program !== 'hub') return null;
  const { settings, rest } = skipGlobals(words);
  const [sub, ...args] = rest;
  if (!sub) return null;
  if (!sub.certain) return gated.some((name) => mightBe(sub, name)) || sub.plural ? 'uncertain' : null;
  switch (sub.text) {
    case 'push':
    case 'send-pack':
    case 'http-push':
      return judgePush(args, settings);
    case 'subtree':
    case 'lfs':
    case 'svn':
      return ['push', 'dcommit'].includes(args[0]?.text ?? '') ? 'risky' : null;
    case 'stash':
    case 'reflog':
      return ['clear', 'expire', 'delete'].includes(args[0]?.text ?? '') ? 'risky' : null;
    case 'update-ref':
      return args.some((word) => word.text === '-d' || word.text === '--stdin') ? 'risky' : null;
    case 'filter-branch':
    case 'filter-repo':
      return 'risky';
    case 'reset':
      return judgeReset(args);
    case 'clean':
      return judgeClean(args);
    default:
      return null;
  }
}

const gated = ['push', 'send-pack', 'reset', 'clean'];

interface Globals {
  readonly settings: readonly string[];
  readonly rest: readonly Word[];
}

function skipGlobals(words: readonly Word[]): Globals {
  const settings: string[] = [];
  let at = 0;
  while (words[at]?.text.startsWith('-')) {
    const text = words[at]?.text ?? '';
    if (text === '-c') settings.push(words[at + 1]?.text ?? '');
    else if (text.startsWith('-c') && text.length > 2) settings.push(text.slice(2));
    at += separate.has(text) ? 2 : 1;
  }
  return { settings, rest: words.slice(at) };
}

const separate = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix', '--attr-source']);

/** Forced, deleting, mirroring and pruning pushes cannot be undone; all others are seen by others. */
function judgePush(args: readonly Word[], settings: readonly string[]): Tier {
  const isForced = settings.some((setting) => /^remote\..*\.(mirror=(true|yes|on|1)|push=[+:])/i.test(setting));
  const tiers = args.map((word, index) => (takesValue(args[index - 1]?.text ?? '') ? null : judgePushWord(word)));
  const tier = isForced ? 'catastrophic' : strictest(tiers);
  if (tier !== 'catastrophic') return tier === 'uncertain' ? 'uncertain' : 'risky';
  return args.some(({ text }) => /^--dry-(r|ru|run)$/.test(text) || /^-[a-z]*n/.test(text)) ? 'risky' : 'catastrophic';
}

function judgePushWord({ text, certain, plural, known }: Word): Tier | null {
  if (/^[+:]./.test(text)) return 'catastrophic';
  if (/^--(force|delete|mirror|prune)/.test(text) || /^--(for|forc|de|del|dele|delet|m|mi|mir|mirr|mirro|pru|prun)$/.test(text)) return 'catastrophic';
  if (/^-[A-Za-z46]/.test(text) && /[fd]/.test(text.slice(1).replace(/o.*$/s, ''))) return 'catastrophic';
  // An unknown word may be an option.
  return !certain && plural && known[0] === '' ? 'uncertain' : null;
}

function takesValue(option: string): boolean {
  return option === '-o' || option === '--push-option' || option === '--repo' || option === '--receive-pack' || option === '--exec';
}

/** `git reset --hard origin/main` loses what was not pushed. */
function judgeReset(args: readonly Word[]): Tier | null {
  if (!args.some((word) => /^--har?d?$/.test(word.text) || mightBe(word, '--hard'))) return null;
  const targets = args.filter((word) => !word.text.startsWith('-'));
  if (targets.some((word) => /\//.test(word.text) || /@\{u(pstream)?\}|@\{push\}|^FETCH_HEAD/i.test(word.text))) return 'catastrophic';
  return targets.some((word) => !word.certain) ? 'uncertain' : null;
}

function judgeClean(args: readonly Word[]): Tier | null {
  const has = (letter: string, long: RegExp): boolean => args.some(({ text }) => (new RegExp(`^-[A-Za-z]*${letter}`).test(text) && !text.startsWith('--')) || long.test(text));
  return has('f', /^--for?c?e?$/) && !has('n', /^--dry-run$/) ? 'risky' : null;
}
