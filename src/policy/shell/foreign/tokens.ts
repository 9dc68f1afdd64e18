import type { Language } from './language.ts';

/** A piece of a program: only texts and names matter, all else is a sign. */
export type Token =
  | { readonly kind: 'text'; readonly value: string; readonly at: number }
  /** What stands between back-ticks, where that runs it. */
  | { readonly kind: 'command'; readonly value: string; readonly at: number }
  | { readonly kind: 'name'; readonly value: string; readonly at: number }
  | { readonly kind: 'sign'; readonly value: string; readonly at: number };

/** Cuts a program into tokens. `hole` stands for a value inside a text. */
export function tokenize(code: string, language: Language, hole: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < code.length) {
    const char = code.charAt(at);
    if (/\s/.test(char)) {
      at += 1;
      continue;
    }
    if (language.comments.some((start) => code.startsWith(start, at))) {
      const end = code.indexOf('\n', at);
      at = end < 0 ? code.length : end;
      continue;
    }
    const name = nameAt(code, at, language);
    if (name !== '') {
      const quoted = quoteOperator(code, { at, name }, language);
      if (quoted) {
        tokens.push({ kind: quoted.runs ? 'command' : 'text', value: quoted.interpolates ? fill(quoted.body, language.interpolation, hole) : quoted.body, at });
        at = quoted.end;
        continue;
      }
      const next = code.charAt(at + name.length);
      // Python's prefixes of a text.
      if (!(/^[rbfuRBFU]{1,2}$/.test(name) && (next === '"' || next === "'") && language.interpolation === 'f')) {
        tokens.push({ kind: 'name', value: name, at });
        at += name.length;
        continue;
      }
      const text = textAt(code, at + name.length, { isRaw: /r/i.test(name) });
      tokens.push({ kind: 'text', value: /f/i.test(name) ? fill(text.value, 'f', hole) : text.value, at });
      at = text.end;
      continue;
    }
    if (char === '"' || char === "'" || (char === '`' && language.backtick !== 'none')) {
      const text = textAt(code, at, { isRaw: false });
      const kind = char === '`' && language.backtick === 'command' ? 'command' : 'text';
      const style = char === "'" || language.interpolation === 'f' || (language.interpolation === 'template' && char !== '`') ? 'none' : language.interpolation;
      tokens.push({ kind, value: fill(text.value, style, hole), at });
      at = text.end;
      continue;
    }
    tokens.push({ kind: 'sign', value: char, at });
    at += 1;
  }
  return tokens;
}

const namePattern = /[A-Za-z_$][\w$]*(?:[-*/][\w*]+)*[!?]?/y;
/** In Perl and PHP a `$` begins a name. */
const sigilNamePattern = /\$?[A-Za-z_]\w*|\$/y;
const plainNamePattern = /[A-Za-z_$][\w$]*[!?]?/y;

function nameAt(code: string, at: number, { interpolation }: Language): string {
  const pattern = interpolation === 'dollar' ? sigilNamePattern : plainNamePattern;
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0] ?? '';
}

/** Names of Lisp hold dashes. */
export function lispNameAt(code: string, at: number): string {
  namePattern.lastIndex = at;
  return namePattern.exec(code)?.[0] ?? '';
}

interface Quoted {
  readonly body: string;
  readonly end: number;
  readonly runs: boolean;
  readonly interpolates: boolean;
}

/** Perl's `q()`, `qq()`, `qx()` and `qw()`; Ruby's `%x()` is found by its sign. */
function quoteOperator(code: string, { at, name }: { at: number; name: string }, language: Language): Quoted | null {
  const isRuby = code.charAt(at - 1) === '%' && language.interpolation === 'hash';
  if (!(isRuby ? /^[qQxwWiI]$/ : /^q[qxw]?$/).test(name) || (language.interpolation !== 'dollar' && !isRuby)) return null;
  let start = at + name.length;
  while (code.charAt(start) === ' ') start += 1;
  const open = code.charAt(start);
  if (open === '' || /[\w\s,;)=]/.test(open)) return null;
  const close = closers.get(open) ?? open;
  let depth = 1;
  let end = start + 1;
  for (; end < code.length && depth > 0; end += 1) {
    const char = code.charAt(end);
    if (char === '\\') end += 1;
    else if (char === close) depth -= 1;
    else if (char === open) depth += 1;
  }
  return { body: code.slice(start + 1, end - 1), end, runs: name === 'qx' || name === 'x', interpolates: name !== 'q' };
}

const closers = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
]);

function textAt(code: string, at: number, { isRaw }: { isRaw: boolean }): { value: string; end: number } {
  const quote = code.charAt(at);
  const mark = code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  // Two quotes in a row are an empty text.
  if (mark.length === 1 && code.charAt(at + 1) === quote) return { value: '', end: at + 2 };
  let value = '';
  let end = at + mark.length;
  while (end < code.length && !code.startsWith(mark, end)) {
    const char = code.charAt(end);
    if (char === '\\' && !isRaw) {
      const escape = escapeAt(code, end);
      value += escape.value;
      end = escape.end;
    } else {
      value += char;
      end += 1;
    }
  }
  return { value, end: end + mark.length };
}

function escapeAt(code: string, at: number): { value: string; end: number } {
  const letter = code.charAt(at + 1);
  const [, hex] = /^\\(?:x|u|u\{|U000)([\da-fA-F]{2,5})/.exec(code.slice(at, at + 10)) ?? [];
  if (hex !== undefined && (letter === 'x' || letter === 'u' || letter === 'U')) {
    const digits = letter === 'x' ? hex.slice(0, 2) : hex;
    const start = code.indexOf(digits, at);
    const end = start + digits.length;
    const point = Number.parseInt(digits, 16);
    return { value: point > 0xdfff && point < 0xf900 ? '\ufffd' : String.fromCodePoint(point), end: code.charAt(end) === '}' ? end + 1 : end };
  }
  const [, octal] = /^\\([0-7]{2,3})/.exec(code.slice(at, at + 4)) ?? [];
  if (octal !== undefined) return { value: String.fromCharCode(Number.parseInt(octal, 8) % 256), end: at + 1 + octal.length };
  return { value: escapes.get(letter) ?? letter, end: at + 2 };
}

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\n'],
  ['0', ''],
  ['\n', ''],
]);

/** A text in which values are holes. */
function fill(text: string, interpolation: Language['interpolation'], hole: string): string {
  switch (interpolation) {
    case 'hash':
      return text.replace(/#\{[^}]*\}/g, hole);
    case 'dollar':
      return text.replace(/\{?[$@](?:\w+|\{[^}]*\})(?:->)?(?:\[[^\]]*\]|\{[^}]*\})*\}?/g, hole);
    case 'template':
      return text.replace(/\$\{[^}]*\}/g, hole);
    case 'f':
      return text.replace(/\{[^{}]*\}/g, hole);
    case 'none':
      return text;
    default:
      interpolation satisfies never;
      return text;
  }
}
