import { bound } from './too-much-to-search.ts';

/** A run of digits in a text, and how it hangs together with the one before it. */
export interface DigitGroup {
  readonly digits: string;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
  /** What stands between the group before and this one where that could separate the parts of one number; else null. */
  readonly before: string | null;
}

/** Throws `TooMuchToSearch` where there are too many. */
export function digitGroups(text: string): readonly DigitGroup[] {
  const groups: DigitGroup[] = [];
  let end = -1;
  for (const { 0: digits, index: start } of text.matchAll(/\d+/g)) {
    if (digits.length < cardDigitsMin && isLetter(text.charCodeAt(start - 1)) && isLetter(text.charCodeAt(start + digits.length))) continue;
    const between = end < 0 || start - end > separatorCharsMax ? null : text.slice(end, start);
    groups.push({ digits, start, end: start + digits.length, before: between !== null && separator.test(between) ? between : null });
    end = start + digits.length;
    bound(groups.length, groupsMax);
  }
  return groups;
}

/** Fewer digits between two letters are no number, and no part of one: long words of base64 and hexadecimal digits are full of them. */
const cardDigitsMin = 13;

/** ASCII's. */
function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Half a megabyte of prose with a number in each line has fewer. */
const groupsMax = 40_000;

const separatorCharsMax = 6;

const separator = /^[\s.,/_()|:+-]+$/;

/** The groups of `lengths`, one after the other from `index` on; null where they are not there. */
export function groupsOfLengths(groups: readonly DigitGroup[], index: number, lengths: readonly number[]): readonly DigitGroup[] | null {
  const found = groups.slice(index, index + lengths.length);
  const fits = found.length === lengths.length && found.every(({ digits, before }, at) => digits.length === lengths[at] && (at === 0 || before !== null));
  return fits ? found : null;
}

/** What stands between these groups. */
export function separatorsOf(groups: readonly DigitGroup[]): readonly string[] {
  return groups.slice(1).map(({ before }) => before ?? '');
}

/** Whether a letter touches the stretch, on its left or on its right. */
export function touchesLetter(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return /\p{L}$/u.test(text.slice(Math.max(0, start - 2), start)) || /^\p{L}/u.test(text.slice(end, end + 2));
}
