import type { ParameterExpansionPart, ParameterOperation, Word as WordNode } from 'unbash';
import type { Expansion } from './machine.ts';
import { isKnown } from './marks.ts';
import { removePart, replacePart } from './parameter-patterns.ts';
import type { Variable } from './scope.ts';

/** What `$x` or `${x…}` expands to. A list keeps its items apart even in quotes: `"$@"`, `"${a[@]}"`. */
export interface Expanded {
  readonly texts: readonly string[];
  readonly isList: boolean;
}

/** How the words inside `${…}` are expanded. */
export interface Inner {
  readonly joined: (word: WordNode) => string;
  /** As between double quotes. */
  readonly quoted: (text: string) => string;
}

export function expandParameter(part: ParameterExpansionPart, expansion: Expansion, inner: Inner): Expanded {
  const { marks } = expansion.machine;
  const index = part.index ? inner.joined(part.index) : null;
  const value = part.prefix === '!' ? indirect(part, expansion) : element(part.parameter, index, expansion);
  if (part.prefix === '#') {
    const length = value.isList ? value.texts.length : (value.texts[0] ?? '').length;
    return single(value.texts.every(isKnown) ? String(length) : marks.add(part.text, 'tame'));
  }
  if (!part.operation) return value;
  return operate(part.operation, value, { part, expansion, inner });
}

/** The value of a variable or special parameter by name. */
export function variable(name: string, expansion: Expansion): Expanded {
  const { scope } = expansion.frame;
  if (name === '@' || name === '*') return { texts: scope.positional ?? [hole(name, expansion)], isList: name === '@' };
  if (name === '0') return single(scope.name);
  if (/^\d+$/.test(name)) return single(scope.positional ? (scope.positional[Number(name) - 1] ?? '') : hole(name, expansion));
  if (name === '#') return single(scope.positional ? String(scope.positional.length) : hole(name, expansion));
  if (name === '_' && scope.lastWord !== null) return single(scope.lastWord);
  const known = scope.variables.get(name);
  if (!known) return single(wellKnown.get(name) ?? hole(name, expansion));
  return single(choose(name, known, expansion)[0] ?? '');
}

/** The characters that separate fields now. */
export function separatorsOf({ frame }: Expansion): string {
  const known = frame.scope.variables.get('IFS')?.values;
  const [separators] = known?.[0] ?? [];
  return known?.length === 1 && separators !== undefined && isKnown(separators) ? separators : blanks;
}

const blanks = ' \t\n';

/** What every environment has. */
const wellKnown = new Map([
  ['SHELL', '/bin/bash'],
  ['BASH', '/bin/bash'],
  ['IFS', blanks],
]);

interface Operand {
  readonly part: ParameterExpansionPart;
  readonly expansion: Expansion;
  readonly inner: Inner;
}

function single(text: string): Expanded {
  return { texts: [text], isList: false };
}

/** Of a variable that the line does not set: it comes from the environment. */
function hole(name: string, { machine }: Expansion): string {
  return machine.marks.add(`$${name}`, 'tame');
}

function choose(name: string, { values }: Variable, { choices, machine }: Expansion): readonly string[] {
  const choice = values.length > 1 ? choices.pick(values.length) : 0;
  return choice < 0 ? [machine.marks.add(`$${name}`, 'wild')] : (values[choice] ?? []);
}

function element(name: string, index: string | null, expansion: Expansion): Expanded {
  if (index === null) return variable(name, expansion);
  const known = expansion.frame.scope.variables.get(name);
  const values = known ? choose(name, known, expansion) : null;
  if (index === '@' || index === '*') return { texts: values ?? [hole(`${name}[${index}]`, expansion)], isList: index === '@' };
  if (/^-?\d+$/.test(index) && values) return single(values.at(Number(index)) ?? '');
  return isKnown(index) ? variable(`${name}[${index}]`, expansion) : single(expansion.machine.marks.add(`$${name}[…]`, 'wild'));
}

function indirect(part: ParameterExpansionPart, expansion: Expansion): Expanded {
  const name = variable(part.parameter, expansion).texts[0] ?? '';
  return isKnown(name) && name !== '' ? variable(name, expansion) : single(expansion.machine.marks.add(part.text, 'wild'));
}

function operate(operation: ParameterOperation, value: Expanded, operand: Operand): Expanded {
  const { part, expansion, inner } = operand;
  const each = (change: (text: string) => string | null): Expanded => ({
    texts: value.texts.map((text) => change(text) ?? expansion.machine.marks.add(part.text, kindOf(text, expansion))),
    isList: value.isList,
  });
  switch (operation.type) {
    case 'Default':
      return withDefault(operation, value, operand);
    case 'Remove':
      return each((text) => removePart(text, operation, inner));
    case 'Replace':
      return each((text) => replacePart(text, operation, inner));
    case 'Slice':
      return slice(operation, value, operand);
    case 'CaseModification':
      return each((text) => (isKnown(text) && operation.operand === undefined ? changeCase(text, operation.operator) : null));
    case 'Transform':
      return each((text) => transform(text, inner.joined(operation.operand), inner));
    case 'Names':
    case 'Unknown':
      return single(expansion.machine.marks.add(part.text, 'tame'));
    default:
      operation satisfies never;
      return value;
  }
}

function kindOf(text: string, { machine }: Expansion): 'tame' | 'wild' {
  return isKnown(text) || machine.marks.isWild(text) ? 'wild' : 'tame';
}

function withDefault(operation: Extract<ParameterOperation, { type: 'Default' }>, value: Expanded, { part, expansion, inner }: Operand): Expanded {
  const operand = inner.joined(operation.operand);
  const isNull = value.texts.every((text) => text === '');
  const isSet = expansion.frame.scope.variables.get(part.parameter) !== undefined || /^[\d@*#]+$/.test(part.parameter);
  // A variable of the environment may be set or not: both ways are followed.
  const isPresent = isSet ? !isNull || (!operation.operator.startsWith(':') && !/^[\d@*]+$/.test(part.parameter)) : expansion.choices.pick(2) !== 0;
  switch (operation.operator) {
    case '+':
    case ':+':
      return isPresent ? single(operand) : single('');
    case '=':
    case ':=':
      if (!isPresent) expansion.frame.scope.assign(part.parameter, [[operand]]);
      return isPresent ? value : single(operand);
    case '-':
    case ':-':
      return isPresent ? value : single(operand);
    case '?':
    case ':?':
      return value;
    default:
      operation.operator satisfies never;
      return value;
  }
}

function slice(operation: Extract<ParameterOperation, { type: 'Slice' }>, value: Expanded, { part, expansion, inner }: Operand): Expanded {
  const [from, length] = [inner.joined(operation.offset), operation.length ? inner.joined(operation.length) : null].map(numberOf);
  if (from === null || from === undefined || (length === null && operation.length)) return single(expansion.machine.marks.add(part.text, 'wild'));
  const cut = <Value extends string | readonly string[]>(whole: Value, start: number): Value => {
    const begin = start < 0 ? Math.max(0, whole.length + start) : start;
    return whole.slice(begin, length == null ? undefined : length < 0 ? length : begin + length) as Value;
  };
  if (value.isList) {
    // `${@:1}` begins with `$1`, `${a[@]:1}` with the second element.
    const isPositional = part.parameter === '@' || part.parameter === '*';
    return { texts: cut(isPositional ? [expansion.frame.scope.name, ...value.texts] : value.texts, from), isList: true };
  }
  const [text = ''] = value.texts;
  if (isKnown(text)) return single(cut(text, from));
  return single(from === 0 && length === 1 && paths.has(part.parameter) ? '/' : expansion.machine.marks.add(part.text, 'wild'));
}

/** Variables whose value begins with a slash wherever a shell runs. */
const paths = new Set(['HOME', 'PWD', 'OLDPWD', 'PATH', 'SHELL']);

function numberOf(text: string | null): number | null {
  if (text === null) return null;
  const trimmed = text.trim().replace(/^\((.*)\)$/, '$1').replaceAll(' ', '');
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : null;
}

function changeCase(text: string, operator: '^' | '^^' | ',' | ',,'): string {
  const change = (part: string): string => (operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase());
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}

function transform(text: string, operator: string, inner: Inner): string | null {
  if (!isKnown(text)) return null;
  switch (operator) {
    case 'U':
      return text.toUpperCase();
    case 'L':
      return text.toLowerCase();
    case 'u':
      return text.slice(0, 1).toUpperCase() + text.slice(1);
    case 'Q':
    case 'E':
      return text.includes('\\') ? null : text;
    case 'P':
      return inner.quoted(text);
    default:
      return null;
  }
}
