import { normalText } from '../../../normal-text.ts';

/** A text in which digits, dashes, dots and blanks of all scripts are ASCII's, and characters that nobody sees are gone. */
export function plainText(text: string): string {
  if (ascii.test(text)) return text;
  return normalText(text.replace(longLigature, ' '), 'NFKC').replace(otherDigit, digitValue).replace(dash, '-').replace(dot, '.').replace(blank, ' ').replace(lineBreak, '\n');
}

/** The same, where what nobody sees stands between digits and so separates them; null where nothing does. */
export function separatedText(text: string): string | null {
  const separated = text.replace(invisibleBetweenDigits, '-');
  return separated === text ? null : plainText(separated);
}

const ascii = /^[\t\n\r\x20-\x7e]*$/;

/** Normalising makes 18 and 8 letters of them, and so of a megabyte six. */
const longLigature = /[\ufdfa\ufdfb]/g;

const otherDigit = /(?![0-9])\p{Nd}/gu;

const dash = /[\p{Pd}\u2043\u2212\u02d7\u06d4\u30fc]/gu;

/** Ideographic and half-width full stops, middle dots, Arabic full stop. */
const dot = /[\u3002\uff61\u00b7\u2022\u2027\u2219\u22c5\u30fb]/g;

const blank = /\p{Zs}/gu;

const lineBreak = /\r\n?|[\u2028\u2029\u0085]/g;

const invisibleBetweenDigits = /(?<=\p{Nd})[\p{Cf}\p{Default_Ignorable_Code_Point}]+(?=\p{Nd})/gu;

/** Unicode keeps the ten digits of a script together and in order, so that the distance to the first is the value. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (before < 50 && /\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
