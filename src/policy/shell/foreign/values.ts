import type { Token } from './tokens.ts';

/** An argument: a text, a list of texts, or null where it is not known. */
export type Value = string | readonly (string | null)[] | null;

export interface Values {
  readonly tokens: readonly Token[];
  /** Variables that are given a text once. */
  readonly constants: ReadonlyMap<string, Value>;
  readonly hole: string;
}

/** `x = "git"`: names that stand for one text. One that is given two stands for none. */
export function constantsOf(tokens: readonly Token[]): ReadonlyMap<string, Value> {
  const constants = new Map<string, Value>();
  for (const [index, token] of tokens.entries()) {
    const equals = tokens[index + 1];
    if (token.kind !== 'name' || equals?.kind !== 'sign' || equals.value !== '=' || isSign(tokens[index + 2], '=')) continue;
    const { value } = expressionAt(index + 2, { tokens, constants, hole: '' });
    constants.set(token.value, constants.has(token.value) ? null : value);
  }
  return constants;
}

/** The arguments of a call whose name stands before `at`. */
export function argumentsAt(at: number, values: Values, isBare: boolean): readonly Value[] {
  const { tokens } = values;
  const opens = isSign(tokens[at], '(');
  if (!opens && !isBare && tokens[at]?.kind !== 'text') return [null];
  const found: Value[] = [];
  let next = opens ? at + 1 : at;
  for (let count = 0; count < argumentsMax; count += 1) {
    if (isSign(tokens[next], ')')) break;
    // A named argument: `shell=True`, `cwd: "/"`; `{…}` are options too.
    if (isSign(tokens[next], '{')) {
      found.push(...objectArguments(next, values));
      break;
    }
    if (tokens[next]?.kind === 'name' && (isSign(tokens[next + 1], '=') || isSign(tokens[next + 1], ':'))) {
      const { name, value } = namedArgument(next, values);
      if (name === 'args' || name === 'cmd') found.push(value);
      break;
    }
    const expression = expressionAt(next, values);
    found.push(expression.value);
    next = expression.end;
    if (isSign(tokens[next], ',')) next += 1;
    // Lisp and Tcl have no commas.
    else if (!(isBare && tokens[next]?.kind === 'text')) break;
  }
  return found.length === 0 ? [null] : found;
}

const argumentsMax = 64;

/** `{ args: ["push"] }`. */
function objectArguments(at: number, values: Values): readonly Value[] {
  const { tokens } = values;
  for (let next = at; next < Math.min(tokens.length, at + argumentsMax) && !isSign(tokens[next], '}'); next += 1) {
    const token = tokens[next];
    if (token?.kind === 'name' && (token.value === 'args' || token.value === 'cmd') && isSign(tokens[next + 1], ':')) return [expressionAt(next + 2, values).value];
  }
  return [];
}

function namedArgument(at: number, values: Values): { name: string; value: Value } {
  const token = values.tokens[at];
  return token?.kind === 'name' ? { name: token.value, value: expressionAt(at + 2, values).value } : { name: '', value: null };
}

interface Expression {
  readonly value: Value;
  /** The token behind it. */
  readonly end: number;
}

/** A text, a list, a known variable, and what `+`, `.` or standing side by side make of them. */
function expressionAt(at: number, values: Values): Expression {
  const { tokens } = values;
  let { value, end } = termAt(at, values);
  for (let count = 0; count < argumentsMax; count += 1) {
    const token = tokens[end];
    const isJoined = isSign(token, '+') || (isSign(token, '.') && tokens[end + 1]?.kind !== 'name') || isSign(token, '~');
    const dots = isSign(token, '.') && isSign(tokens[end + 1], '.') ? 1 : 0;
    if (!isJoined && token?.kind !== 'text') break;
    if (token?.kind === 'text' && typeof value !== 'string') break;
    if (token?.kind === 'text' && tokens[end - 1]?.kind !== 'text') break;
    const next = termAt(isJoined ? end + 1 + dots : end, values);
    value = typeof value === 'string' && typeof next.value === 'string' ? value + next.value : null;
    end = next.end;
  }
  const token = tokens[end];
  // A method or an operator makes something else of it: `"…".format(x)`, `cmd.split()`.
  if (token?.kind === 'sign' && /[.%*[]/.test(token.value)) {
    const method = tokens[end + 1];
    if (isSign(token, '.') && method?.kind === 'name' && method.value === 'split' && typeof value === 'string') return { value: value.split(/\s+/), end: skipCall(end + 2, tokens) };
    return { value: isSign(token, '%') && typeof value === 'string' ? value.replace(/%[sdr]/g, () => values.hole) : null, end: skipTo(end, tokens) };
  }
  return { value, end };
}

function termAt(at: number, values: Values): Expression {
  const { tokens, constants } = values;
  const token = tokens[at];
  if (!token) return { value: null, end: at };
  if (token.kind === 'text') return { value: token.value, end: at + 1 };
  if (token.kind === 'command') return { value: null, end: at + 1 };
  if (token.kind === 'name') {
    const isPlain = !isSign(tokens[at + 1], '(');
    const known = isPlain ? constants.get(token.value) : undefined;
    if (token.value === 'c' && !isPlain) return listAt(at + 1, values, ')');
    return known === undefined ? { value: null, end: isPlain ? at + 1 : skipCall(at + 1, tokens) } : { value: known, end: at + 1 };
  }
  switch (token.value) {
    case '[':
      return listAt(at, values, ']');
    case '(': {
      const inner = listAt(at, values, ')');
      return inner.value !== null && typeof inner.value !== 'string' && inner.value.length === 1 ? { value: inner.value[0] ?? null, end: inner.end } : inner;
    }
    case '$':
    case '@':
    case ':':
      return termAt(at + 1, values);
    default:
      return { value: null, end: at + 1 };
  }
}

function listAt(at: number, values: Values, close: string): Expression {
  const { tokens } = values;
  const items: (string | null)[] = [];
  let next = at + 1;
  for (let count = 0; next < tokens.length && count < argumentsMax; count += 1) {
    if (isSign(tokens[next], close)) return { value: items, end: next + 1 };
    const { value, end } = expressionAt(next, values);
    items.push(typeof value === 'string' ? value : null);
    next = Math.max(end, next + 1);
    if (isSign(tokens[next], ',')) next += 1;
  }
  return { value: null, end: next };
}

function skipCall(at: number, tokens: readonly Token[]): number {
  if (!isSign(tokens[at], '(')) return at;
  let depth = 0;
  for (let next = at; next < tokens.length; next += 1) {
    if (isSign(tokens[next], '(')) depth += 1;
    if (isSign(tokens[next], ')')) depth -= 1;
    if (depth === 0) return next + 1;
  }
  return tokens.length;
}

/** The comma or parenthesis that ends this argument. */
function skipTo(at: number, tokens: readonly Token[]): number {
  let depth = 0;
  for (let next = at; next < tokens.length; next += 1) {
    const token = tokens[next];
    if (token?.kind !== 'sign') continue;
    if (/[([{]/.test(token.value)) depth += 1;
    if (/[)\]}]/.test(token.value)) depth -= 1;
    if (depth < 0 || (depth === 0 && token.value === ',')) return next;
  }
  return tokens.length;
}

function isSign(token: Token | undefined, value: string): boolean {
  return token?.kind === 'sign' && token.value === value;
}
