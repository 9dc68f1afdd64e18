/** A shell pattern: characters to be found as they are, `*`, `?` and classes. */
export type Pattern = readonly PatternItem[];

export type PatternItem = { readonly kind: 'text'; readonly char: string } | { readonly kind: 'any' } | { readonly kind: 'one' } | { readonly kind: 'class'; readonly source: string };

/** Reads a pattern from source without quotes; a backslash takes the meaning of the next character. */
export function readPattern(source: string): Pattern {
  const items: PatternItem[] = [];
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charAt(at);
    const close = char === '[' ? source.indexOf(']', at + 2) : -1;
    if (char === '\\' && at + 1 < source.length) {
      at += 1;
      items.push({ kind: 'text', char: source.charAt(at) });
    } else if (char === '*') items.push({ kind: 'any' });
    else if (char === '?') items.push({ kind: 'one' });
    else if (close > 0) {
      items.push({ kind: 'class', source: source.slice(at + 1, close) });
      at = close;
    } else items.push({ kind: 'text', char });
  }
  return items;
}

export function literalPattern(text: string): Pattern {
  return Array.from(text, (char) => ({ kind: 'text', char }));
}

/** Whether the whole text matches. Goes back to the last `*` only, so it takes at most text times pattern. */
export function matchesPattern(text: string, pattern: Pattern): boolean {
  let [at, item, star, starAt] = [0, 0, -1, 0];
  while (at < text.length) {
    const here = pattern[item];
    if (here?.kind === 'any') {
      star = item;
      starAt = at;
      item += 1;
    } else if (here && matchesOne(text.charAt(at), here)) {
      at += 1;
      item += 1;
    } else if (star >= 0) {
      starAt += 1;
      at = starAt;
      item = star + 1;
    } else return false;
  }
  while (pattern[item]?.kind === 'any') item += 1;
  return item === pattern.length;
}

/** The length of the shortest or longest beginning of the text that matches; -1 where none does. */
export function matchLength(text: string, pattern: Pattern, longest: boolean): number {
  if (pattern.every((item) => item.kind !== 'any')) {
    return pattern.length <= text.length && matchesPattern(text.slice(0, pattern.length), pattern) ? pattern.length : -1;
  }
  for (let step = 0; step <= text.length; step += 1) {
    const length = longest ? text.length - step : step;
    if (matchesPattern(text.slice(0, length), pattern)) return length;
  }
  return -1;
}

export function reversed(pattern: Pattern): Pattern {
  return [...pattern].reverse();
}

function matchesOne(char: string, item: PatternItem): boolean {
  switch (item.kind) {
    case 'text':
      return item.char === char;
    case 'one':
      return true;
    case 'class':
      return matchesClass(char, item.source);
    case 'any':
      return false;
    default:
      item satisfies never;
      return false;
  }
}

function matchesClass(char: string, source: string): boolean {
  const isNegated = source.startsWith('!') || source.startsWith('^');
  const members = isNegated ? source.slice(1) : source;
  const named = /^\[:(\w+):$/.exec(members)?.[1];
  if (named !== undefined) return (namedClasses.get(named)?.test(char) ?? true) !== isNegated;
  let found = false;
  for (let at = 0; at < members.length; at += 1) {
    if (members.charAt(at + 1) === '-' && at + 2 < members.length) {
      found ||= members.charAt(at) <= char && char <= members.charAt(at + 2);
      at += 2;
    } else found ||= members.charAt(at) === char;
  }
  return found !== isNegated;
}

const namedClasses: ReadonlyMap<string, RegExp> = new Map([
  ['alpha', /\p{L}/u],
  ['digit', /\d/],
  ['alnum', /[\p{L}\d]/u],
  ['upper', /\p{Lu}/u],
  ['lower', /\p{Ll}/u],
  ['space', /\s/],
  ['blank', /[ \t]/],
  ['punct', /[!-/:-@[-`{-~]/],
]);
