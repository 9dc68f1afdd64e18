import type { PolicyEvent } from '../policy/event.ts';

const previewCharsMax = 1024;
const messageCharsMax = 4096;

/** What an approver reads first of an event: the JSON text of its data, with nothing hidden in it and a mark where it is cut. */
export function contentPreviewOf(event: PolicyEvent): string {
  return truncate(folded(visible(JSON.stringify(event.data))), previewCharsMax);
}

/** A policy's words, with nothing hidden in them. Line breaks and tabs stay. */
export function visibleMessage(message: string): string {
  return truncate(folded(visible(message)), messageCharsMax);
}

/** A name, on one line and with nothing hidden in it: for messages that say it to people. */
export function visibleName(name: string): string {
  return folded(visible(name).replace(/[\n\t]/g, escaped));
}

/**
 * Control, format, bidirectional, zero-width, tag and variation characters, blanks that are no plain space, and letters that are drawn as
 * nothing.
 */
const deceptive = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu;

function visible(text: string): string {
  return text.replace(deceptive, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}

/**
 * Long runs of blanks, also of escaped ones, push what follows out of sight. Escapes are those of `visible` and of JSON; a run that is
 * folded says how many blanks it had.
 */
function folded(text: string): string {
  return text.replace(blanks, (run) => {
    const count = run.match(blank)?.length ?? 0;
    return count > blanksMax ? `⟨${count} blanks⟩` : run;
  });
}

/** More than what indents a line. */
const blanksMax = 16;
const blankCodes = 'a0|1680|180e|200[0-9a-f]|2028|2029|202f|205f|2060|2800|3000|3164|115f|1160|ffa0|feff|85|b|c|d';
const blankSource = `[ \\n\\t]|\\\\u\\{(?:${blankCodes})\\}|\\\\[nrtfb]`;
const blank = new RegExp(blankSource, 'g');
const blanks = new RegExp(`(?:${blankSource}){${blanksMax + 1},}`, 'g');

function truncate(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, charsMax - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
