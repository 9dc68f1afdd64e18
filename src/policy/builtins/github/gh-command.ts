import type { ShellCommand, Word } from '../../shell/command-line.ts';
import { actionAliases, groupAliases, innerGroups } from './gh-commands.ts';

/** A call of gh, its group and action found. */
export interface GhCommand {
  /** Empty: none, as in `gh --help`. */
  readonly group: string;
  /** Empty: none. With an inner group before a slash: `deploy-key/add`. */
  readonly action: string;
  /** Everything but group and action, in order: options before them too. */
  readonly words: readonly Word[];
  /** The group or the action is an expansion whose value is not known. */
  readonly isUnknown: boolean;
}

/** gh looks for its commands as its library does: an option that stands before them takes the next word, unless it has `=`. */
export function readGhCommand({ words }: Pick<ShellCommand, 'words'>): GhCommand {
  const found: string[] = [];
  const others: Word[] = [];
  let at = 0;
  let wanted = 2;
  for (; at < words.length && found.length < wanted; at += 1) {
    const word = words[at];
    if (!word) continue;
    if (word.text === '--') break;
    if ((word.known[0] ?? '').startsWith('-')) {
      others.push(word);
      const next = words[at + 1];
      if (!word.text.includes('=') && next && !flags.has(word.text) && !(word.text.length > 2 && !word.text.startsWith('--'))) {
        others.push(next);
        at += 1;
      }
      continue;
    }
    if (!word.certain) return { group: found[0] ?? '', action: '', words: [...others, ...words.slice(at)], isUnknown: true };
    const name = word.text;
    if (found.length === 0) {
      const group = groupAliases.get(name) ?? name;
      found.push(group);
      if (group === 'api') wanted = 1;
    } else {
      found.push(actionAliases.get(name) ?? name);
      if (innerGroups.has(found.join('/'))) wanted = 3;
    }
  }
  const [group = '', ...actions] = found;
  return { group, action: actions.join('/'), words: [...others, ...words.slice(at)], isUnknown: false };
}

/** Options without a value that people put before the action. */
const flags = new Set(['--help', '-h', '--version', '-w', '--web', '-y', '--yes']);
