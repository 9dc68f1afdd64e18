import { groupsOfLengths, separatorsOf, touchesLetter, type DigitGroup } from './digit-groups.ts';
import { isNamed, namedPlaces, type NamedPlaces } from './near-words.ts';
import type { PiiText } from './pii-text.ts';

/**
 * Whether the text holds a US social security number: 3-2-4 digits joined by hyphens, or by other marks where such numbers are issued and
 * it is no part of a longer list; without marks where the words around say so.
 */
export function holdsSocialSecurityNumber({ text, groups }: PiiText): boolean {
  if (groups.length === 0) return false;
  const named = namedPlaces(text, itsWords);
  return groups.some((group, index) => isWritten(text, { groups, index, named }) || (isNamed(group, named) && couldBe(group, { groups, index })));
}

const itsWords = /(?<!\p{L})(?:ssns?|social(?: security)?|soc\.? sec\.?|ss ?#|ss ?no|tax ?(?:payer )?id(?:entification)?|itin|tin)(?!\p{L})/giu;

interface At {
  readonly groups: readonly DigitGroup[];
  readonly index: number;
}

function isWritten(text: string, { groups, index, named }: At & { readonly named: NamedPlaces }): boolean {
  const found = groupsOfLengths(groups, index, [3, 2, 4]);
  const [first, , third] = found ?? [];
  if (!found || !first || !third) return false;
  const stretch = { start: first.start, end: third.end };
  if (isNamed(stretch, named)) return true;
  if (touchesLetter(text, stretch)) return false;
  const separators = separatorsOf(found);
  if (separators.every((between) => /^\s{0,3}-\s{0,3}$/.test(between))) return true;
  const areMarks = separators.every((between) => /^(?:[ \t]{1,2}|[ ]?[./_-][ ]?)$/.test(between));
  // A list of numbers goes on, before or behind.
  return areMarks && isIssued(found.map(({ digits }) => digits)) && first.before === null && (groups[index + 3]?.before ?? null) === null;
}

/** Numbers that people list are round far more often than those that are issued. */
function isIssued([area = '', group = '', serial = '']: readonly string[]): boolean {
  if ([area, group, serial].every((part) => part.endsWith('0'))) return false;
  return area !== '000' && area !== '666' && group !== '00' && serial !== '0000';
}

/** Nine digits, in one piece or more. */
function couldBe({ digits }: DigitGroup, { groups, index }: At): boolean {
  if (digits.length >= 9) return digits.length === 9;
  let length = digits.length;
  for (let next = index + 1; length < 9 && next < groups.length && next < index + 9; next += 1) {
    const { before, digits: more = '' } = groups[next] ?? { before: null };
    if (before === null || /[,:|\n]/.test(before)) return false;
    length += more.length;
  }
  return length === 9;
}
