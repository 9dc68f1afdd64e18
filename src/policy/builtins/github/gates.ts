import { denial, doubt, strictest, type Finding } from './finding.ts';
import type { Mention } from './repository.ts';
import type { Rules } from './rules.ts';

/** Whether the repositories that an act reads may be read. */
export function readGate(rules: Rules, { what, mentions }: Act): Finding | null {
  return rules.readAll ? null : listGate({ what, mentions, list: rules.readable, listed: 'readable' });
}

/** Whether what an act writes may be written: its repositories, then its branches. */
export function writeGate(rules: Rules, write: Write): Finding | null {
  const { what, mentions, branches, content } = write;
  const found = listGate({ what, mentions, list: rules.writable, listed: 'writable' });
  // Where the repository is not known, a person answers for both.
  if (found || rules.branches === null) return found;
  for (const branch of branches.names) {
    if (!rules.branches.has(branch)) return denial(`${what} would write the branch ${branch}, which is not among the writable branches.`);
  }
  const isUnknown = branches.unknown || (content && branches.names.length === 0);
  return isUnknown ? doubt(`${what} writes a branch that its text does not name.`) : null;
}

/** What an act does beside writing. Each is refused, allowed, or goes on to the gate for writes. */
export function effectGate(rules: Rules, { what, deletes, tags, forces }: Effects): Finding | null {
  return strictest([
    forces && rules.denyForce ? denial(`${what} would rewrite history.`) : null,
    deletes && !rules.allowDestructive ? denial(`${what} would delete something.`) : null,
    tags && rules.denyTags ? denial(`${what} would push or create a tag.`) : null,
  ]);
}

export interface Act {
  /** The act in a few words, as the start of a sentence: `git push`. */
  readonly what: string;
  /** Every repository that it names. None: it is not known which it touches. */
  readonly mentions: readonly Mention[];
}

export interface Write extends Act {
  readonly branches: Branches;
  /** Whether it puts content on a branch, named or not. */
  readonly content: boolean;
}

export interface Branches {
  readonly names: readonly string[];
  /** Whether there may be others. */
  readonly unknown: boolean;
}

export interface Effects {
  readonly what: string;
  readonly deletes: boolean;
  readonly tags: boolean;
  readonly forces: boolean;
}

export const noBranches: Branches = { names: [], unknown: false };

interface ListedAct extends Act {
  readonly list: ReadonlySet<string>;
  readonly listed: 'readable' | 'writable';
}

function listGate({ what, mentions, list, listed }: ListedAct): Finding | null {
  let isUnknown = mentions.length === 0;
  for (const mention of mentions) {
    if (mention.kind === 'unknown') isUnknown = true;
    else if (!list.has(mention.name)) return denial(`${what} would reach ${mention.name}, which is not among the ${listed} repositories.`);
    else if (!mention.plain) isUnknown = true;
  }
  return isUnknown ? doubt(`Which repository ${what} reaches cannot be known from its text.`) : null;
}
