import { separatorsOf, touchesLetter, type DigitGroup } from './digit-groups.ts';
import type { PiiText } from './pii-text.ts';

/**
 * Whether the text holds the number of a payment card: 13 to 19 digits in one piece or in the groups that cards have. What is
 * written otherwise, or inside a word, counts where it has a card's beginning and check digit.
 */
export function holdsCreditCard({ dateless, datelessGroups: groups }: PiiText): boolean {
  return groups.some((group, index) => isCard(dateless, group) || isCardInGroups(dateless, { groups, index }));
}

const digitsMin = 13;

const digitsMax = 19;

function isCard(text: string, group: DigitGroup): boolean {
  const { digits, start } = group;
  if (digits.length < digitsMin || digits.length > digitsMax) return false;
  if (isIssued(digits)) return true;
  return !digits.startsWith('0') && !touchesLetter(text, group) && !/[\d][.,]$|[/#]$/.test(text.slice(Math.max(0, start - 2), start)) && !isOtherNumber(digits);
}

/** Numbers of that length that are none: times since 1970 in milliseconds and finer, times in one piece, and those of books. */
function isOtherNumber(digits: string): boolean {
  if (/^1[5-9]\d{11}(?:\d{3}|\d{6})?$/.test(digits)) return true;
  if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d/.test(digits)) return true;
  return /^97[89]\d{10}$/.test(digits) && isBookNumber(digits);
}

function isCardInGroups(text: string, { groups, index }: { groups: readonly DigitGroup[]; index: number }): boolean {
  const [first, second] = [groups[index], groups[index + 1]];
  if (!first || !second || second.before === null) return false;
  // Most numbers are told by how they begin, and need not be put together.
  if (!mayBeGroup.test(first.digits) && !beginnings.test(first.digits + second.digits + (groups[index + 2]?.digits ?? '') + (groups[index + 3]?.digits ?? ''))) return false;
  let { length } = first.digits;
  const window = [first];
  for (let next = index + 1; next < groups.length; next += 1) {
    const group = groups[next];
    if (!group || group.before === null) return false;
    length += group.digits.length;
    if (length > digitsMax) return false;
    window.push(group);
    if (length < digitsMin) continue;
    const form = formOf(window, second.before);
    if (!form.arePlain && !form.areAlike) return false;
    const digits = window.map((part) => part.digits).join('');
    if (isInCardGroups(digits, form) && (isIssued(digits) || !touchesLetter(text, { start: first.start, end: group.end }))) return true;
  }
  return false;
}

function formOf(window: readonly DigitGroup[], mark: string): Form {
  const marks = separatorsOf(window);
  return {
    arePlain: marks.every((before) => before === ' ' || /^[ \t-]+$/.test(before)),
    areAlike: marks.every((before) => before === mark || (before.length <= 3 && before.trim() === mark.trim())) && mark.length <= 3,
    areYears: window.every(({ digits }) => year.test(digits)),
    lengths: window.map(({ digits }) => digits.length).join('-'),
  };
}

/** How the groups of a number look. */
interface Form {
  /** Blanks and hyphens stand between them. */
  readonly arePlain: boolean;
  /** The same mark stands between all. */
  readonly areAlike: boolean;
  readonly areYears: boolean;
  readonly lengths: string;
}

const year = /^(?:19|20)\d\d$/;

function isInCardGroups(digits: string, { arePlain, areAlike, areYears, lengths }: Form): boolean {
  if (arePlain && cardGroups.test(lengths)) return isIssued(digits) || (!digits.startsWith('0') && !areYears);
  return areAlike && (cardGroups.test(lengths) || evenGroups.test(lengths)) && isIssued(digits);
}

/** The first group that is printed on a card. */
const mayBeGroup = /^(?:\d{4}|\d{6}|\d{8})$/;

/** As they are printed on cards. */
const cardGroups = /^(?:4-4-4-4(?:-[1-3])?|4-6-[45]|4-4-5|4-4-4-[1-3]|6-[789]|6-10|6-13|8-8)$/;

const evenGroups = /^(?:1(?:-1)+|2(?:-2)+(?:-1)?|3(?:-3)+(?:-[12])?|4(?:-4)+(?:-[1-3])?|5(?:-5)+(?:-[1-4])?)$/;

/** By the beginning and length of the networks' numbers, and the check digit. */
function isIssued(digits: string): boolean {
  return networks.some(({ beginning, lengths }) => lengths.includes(digits.length) && beginning.test(digits)) && hasCheckDigit(digits);
}

const networks: readonly { readonly beginning: RegExp; readonly lengths: readonly number[] }[] = [
  { beginning: /^4/, lengths: [13, 16, 19] },
  { beginning: /^(?:5[1-5]|2(?:2[2-9]|[3-6]\d|7[01]|720))/, lengths: [16] },
  { beginning: /^220[0-4]/, lengths: [16, 17, 18, 19] },
  { beginning: /^3[47]/, lengths: [15] },
  { beginning: /^3(?:0[0-5]|[689])/, lengths: [14, 15, 16, 17, 18, 19] },
  { beginning: /^35/, lengths: [16, 17, 18, 19] },
  { beginning: /^6(?:011|22|4[4-9]|5|2)/, lengths: [16, 17, 18, 19] },
  { beginning: /^(?:50|5[6-8]|6[0379])/, lengths: [13, 14, 15, 16, 17, 18, 19] },
];

const beginnings = /^(?:[456]|2[2-7]|3[0-9])/;

/** Luhn's. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? 2 * digit : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isBookNumber(digits: string): boolean {
  return Array.from(digits).reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}
