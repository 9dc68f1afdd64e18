import { groupsOfLengths, separatorsOf, touchesLetter, type DigitGroup } from './digit-groups.ts';
import { isNamed, namedPlaces, type NamedPlaces } from './near-words.ts';
import type { PiiText } from './pii-text.ts';

/**
 * Whether the text holds a phone number: international with its plus, in the 3-3-4 digits of North America, national with its leading
 * zero, or any other where the words around say so. Dates, times, offsets and decimals are none.
 */
export function holdsPhoneNumber({ dateless: text, datelessGroups: groups }: PiiText): boolean {
  if (groups.length === 0) return false;
  const named = namedPlaces(text, itsWords);
  return groups.some((group, index) => {
    const at = { group, groups, index, named };
    return isInternational(text, at) || isNorthAmerican(text, at) || isNational(text, at) || isCalledOne(at);
  });
}

const itsWords = /(?<!\p{L})(?:phone|telephone|tel|mobile|cellphone|fax|whatsapp|sms|dial|(?:call|text|reach|ring) (?:me|us|him|her|them))(?!\p{L})/giu;

interface At {
  readonly group: DigitGroup;
  readonly groups: readonly DigitGroup[];
  readonly index: number;
  readonly named: NamedPlaces;
}

/** What separates the parts of a phone number; a minus that belongs to the next number does not. */
const phoneSeparator = /^(?:[ \t]{1,2}|\s?[./-]\s{0,2}|[ .-]?\([0 ]?|\)?[ .-]{0,2}\(?|\)[ ./-]{0,2})$/;

function isSeparator(between: string | null): boolean {
  return between !== null && between !== '' && phoneSeparator.test(between) && !/^\s+[-+]$/.test(between);
}

/** The groups from `index` on that hang together like a phone number's, as many as hold at most `digitsMax` digits. */
function chain({ groups, index }: Pick<At, 'groups' | 'index'>, digitsMax: number): { readonly window: readonly DigitGroup[]; readonly digits: number; readonly goesOn: boolean } {
  const window: DigitGroup[] = [];
  let digits = 0;
  for (let next = index; next < groups.length; next += 1) {
    const group = groups[next];
    if (!group || (next > index && !isSeparator(group.before))) break;
    if (digits + group.digits.length > digitsMax) return { window, digits, goesOn: true };
    window.push(group);
    digits += group.digits.length;
  }
  return { window, digits, goesOn: false };
}

function isInternational(text: string, at: At): boolean {
  const { group, named } = at;
  const plus = /(^|.)\+[ ]?\(?$/su.exec(text.slice(Math.max(0, group.start - 4), group.start));
  if (!plus || !/^[1-9]/.test(group.digits)) return false;
  // After a digit or a letter it is a sum or an offset, unless the letters say that a number follows.
  if (/[\p{L}\p{N}]/u.test(plus[1] ?? '') && !isNamed(group, named)) return false;
  const { window, digits } = chain(at, 15);
  if (window.length === 2 && window[1]?.before === '.') return false;
  return digits >= (window.length === 1 ? 9 : 8);
}

function isNorthAmerican(text: string, { groups, index, named }: At): boolean {
  const found = groupsOfLengths(groups, index, [3, 3, 4]);
  const [first] = found ?? [];
  if (!found || !first || !separatorsOf(found).every(isSeparator)) return false;
  const stretch = { start: first.start, end: found[2]?.end ?? 0 };
  if (touchesLetter(text, stretch) && !isNamed(stretch, named)) return false;
  // Dotted numbers of more parts are versions and addresses.
  const follows = groups[index + 3]?.before === '.' || (first.before === '.' && groups[index - 1]?.digits !== '1');
  return !follows;
}

function isNational(text: string, { group, groups, index }: At): boolean {
  if (!/^0\d/.test(group.digits) || /[\p{L}\d.,:/#_-]\(?$/u.test(text.slice(Math.max(0, group.start - 2), group.start))) return false;
  if (group.before !== null && !/[\s(]/.test(group.before)) return false;
  const isAbroad = /^00[1-9]/.test(group.digits) || (group.digits === '00' && /^[1-9]/.test(groups[index + 1]?.digits ?? '')) || group.digits === '011';
  if (!isAbroad && group.digits.startsWith('00')) return false;
  const [least, most] = isAbroad ? [11, 16] : [9, 12];
  const { window, digits, goesOn } = chain({ groups, index }, most);
  // Eight digits in three parts are a number; in two they are rather a span of time, `0830-1700`.
  if (window.some((part) => touchesLetter(text, part)) || digits < least - (window.length === 3 ? 1 : 0)) return false;
  if (window.length === 1) return true;
  // A list of numbers with leading zeros goes on, or counts up.
  const areSpaced = separatorsOf(window).every((between) => between.trim() === '');
  const areLong = window.every((part) => part.digits.length >= 2);
  return areLong && !(areSpaced && (goesOn || countsUp(window)));
}

function countsUp(window: readonly DigitGroup[]): boolean {
  return window.every(({ digits }, index) => index === 0 || Number(digits) === Number(window[index - 1]?.digits) + 1);
}

/** Seven digits and more, because somebody says that it is one. */
function isCalledOne(at: At): boolean {
  if (!isNamed(at.group, at.named)) return false;
  const { window, digits } = chain(at, 15);
  return digits >= (window.length > 1 ? 7 : 9);
}
