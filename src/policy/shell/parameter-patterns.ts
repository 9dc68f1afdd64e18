import type { ParameterRemoveOperation, ParameterReplaceOperation, Word as WordNode } from 'unbash';
import { isKnown } from './marks.ts';
import { literalPattern, matchesPattern, matchLength, readPattern, reversed, type Pattern } from './pattern.ts';

interface Inner {
  readonly joined: (word: WordNode) => string;
}

/** `${x#pattern}` and its kin; null where the result is not known. */
export function removePart(text: string, { operator, operand }: ParameterRemoveOperation, inner: Inner): string | null {
  const pattern = patternOf(operand, inner);
  if (!pattern || !isKnown(text) || isTooMuch(text, pattern)) return null;
  const isLongest = operator.length === 2;
  if (operator.startsWith('#')) {
    const length = matchLength(text, pattern, isLongest);
    return length < 0 ? text : text.slice(length);
  }
  const length = matchLength(Array.from(text).reverse().join(''), reversed(pattern), isLongest);
  return length < 0 ? text : text.slice(0, text.length - length);
}

/** `${x/pattern/replacement}` and its kin; null where the result is not known. */
export function replacePart(text: string, { operator, pattern: source, replacement }: ParameterReplaceOperation, inner: Inner): string | null {
  const pattern = patternOf(source, inner);
  const by = inner.joined(replacement);
  if (!pattern || !isKnown(text) || isTooMuch(text, pattern)) return null;
  if (operator === '/#' || operator === '/%') {
    const isStart = operator === '/#';
    const length = isStart ? matchLength(text, pattern, true) : matchLength(Array.from(text).reverse().join(''), reversed(pattern), true);
    if (length < 0) return text;
    return isStart ? by + text.slice(length) : text.slice(0, text.length - length) + by;
  }
  if (pattern.length === 0) return text;
  let result = '';
  let at = 0;
  while (at < text.length) {
    const length = longestAt(text.slice(at), pattern);
    if (length <= 0) {
      result += text.charAt(at);
      at += 1;
      continue;
    }
    result += by;
    at += length;
    if (operator === '/') break;
  }
  return result + text.slice(at);
}

/** Looking for a `*` everywhere takes time with the cube of the text, so only short values are followed. */
function isTooMuch(text: string, pattern: Pattern): boolean {
  return text.length > (pattern.some((item) => item.kind === 'any') ? 80 : 2000) || pattern.length > 80;
}

function longestAt(text: string, pattern: Pattern): number {
  if (pattern.every((item) => item.kind !== 'any')) {
    return text.length >= pattern.length && matchesPattern(text.slice(0, pattern.length), pattern) ? pattern.length : -1;
  }
  return matchLength(text, pattern, true);
}

/** Quoted stretches of the word are literal; null where it is not known. */
function patternOf(word: WordNode, inner: Inner): Pattern | null {
  if (!word.parts) return word.text.includes('\\') ? literalPattern(word.value) : readPattern(word.value);
  const text = inner.joined(word);
  if (!isKnown(text)) return null;
  const isQuoted = word.parts.some((part) => part.type === 'DoubleQuoted' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted');
  return isQuoted ? literalPattern(text) : readPattern(text);
}
