/**
 * Expands the braces in the source of a word, before any other expansion, as bash does: `{a,b}c` is `ac` and `bc`, `{1..3}` three
 * words. Quotes, escapes and `${…}`, `$(…)` are left as they are. Null when there are too many words.
 */
export function expandBraces(source: string): readonly string[] | null {
  if (source.length > sourceCharsMax || source.split('{').length > openMax) return null;
  const done: string[] = [];
  const todo = [source];
  for (let steps = 0; todo.length > 0; steps += 1) {
    if (steps > stepsMax || done.length > wordsMax) return null;
    const word = todo.pop() ?? '';
    const group = firstGroup(word);
    if (!group) {
      done.push(word);
      continue;
    }
    if (group.items.length > wordsMax) return null;
    const [before, after] = [word.slice(0, group.start), word.slice(group.end)];
    for (const item of [...group.items].reverse()) todo.push(before + item + after);
  }
  return done;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
}

/** Each opening brace may be looked at once for each word. */
const openMax = 32;

const sourceCharsMax = 4096;

const wordsMax = 256;

const stepsMax = 1024;

/** The first pair of braces that expands to something. */
function firstGroup(source: string): Group | null {
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === '{') {
      const group = groupAt(source, at);
      if (group) return group;
    } else at = skipQuoted(source, at);
  }
  return null;
}

function groupAt(source: string, start: number): Group | null {
  const items: string[] = [];
  let [depth, from] = [0, start + 1];
  for (let at = start; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth > 0) continue;
      items.push(source.slice(from, at));
      const spread = items.length > 1 ? items : sequence(items[0] ?? '');
      return spread ? { start, end: at + 1, items: spread } : null;
    } else if (char === ',' && depth === 1) {
      items.push(source.slice(from, at));
      from = at + 1;
    } else at = skipQuoted(source, at);
  }
  return null;
}

/** Where the quoted stretch or expansion that begins here ends; here where there is none. */
function skipQuoted(source: string, at: number): number {
  const char = source.charAt(at);
  if (char === '\\') return at + 1;
  if (char === "'" || char === '"' || char === '`') {
    let end = at + 1;
    while (end < source.length && source.charAt(end) !== char) end += source.charAt(end) === '\\' && char !== "'" ? 2 : 1;
    return end;
  }
  const open = char === '$' ? source.charAt(at + 1) : '';
  if (open !== '{' && open !== '(') return at;
  const close = open === '{' ? '}' : ')';
  let depth = 0;
  for (let end = at + 1; end < source.length; end += 1) {
    if (source.charAt(end) === open) depth += 1;
    if (source.charAt(end) === close) depth -= 1;
    if (depth === 0) return end;
  }
  return source.length;
}

function sequence(range: string): readonly string[] | null {
  const [, from = '', to = '', step = '1'] = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,6}))?$/.exec(range) ?? [];
  const isNumber = /\d/.test(from) && /\d/.test(to);
  if (from === '' || (!isNumber && (/\d/.test(from) || /\d/.test(to)))) return null;
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const width = Math.max(1, Math.abs(Number(step)));
  const count = Math.min(Math.floor(Math.abs(last - first) / width) + 1, wordsMax + 2);
  const spread = Array.from({ length: count }, (_, index) => first + Math.sign(last - first) * width * index);
  const digits = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  return spread.map((value) => (isNumber ? String(value).padStart(digits, '0') : String.fromCharCode(value)));
}
