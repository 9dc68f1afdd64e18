import type { Assignment, Command } from 'unbash';
import { expandJoined, expandWords } from './expand.ts';
import { anything, silence, type Flow } from './flow.ts';
import type { Expansion, Field, Frame } from './machine.ts';
import type { Word } from './reading.ts';
import { deliver, prepareRedirects, redirectedFrame, type PreparedRedirects } from './redirects.ts';
import type { Scope, Variable } from './scope.ts';
import type { Walker } from './walker.ts';

/** Follows one simple command: its expansions, assignments and redirections, then the program. */
export function runSimple(node: Command, frame: Frame, walker: Walker): Flow {
  const worlds = walker.worlds(frame, (expansion) => prepare(node, expansion));
  const [only] = worlds;
  if (only && worlds.length === 1) return execute(only, frame, walker);
  let printed: Flow | null = null;
  const ends: Scope[] = [];
  for (const world of worlds) {
    if (!walker.step()) break;
    const scope = frame.scope.fork();
    const flow = execute(world, { ...frame, scope }, walker);
    printed = printed === null || printed.text === flow.text ? flow : anything;
    ends.push(scope);
  }
  const [first, ...others] = ends;
  for (const end of others) first?.join(end, walker.marks);
  if (first) frame.scope.become(first);
  return printed ?? silence;
}

interface Prepared {
  readonly fields: readonly Field[];
  readonly assignments: readonly PreparedAssignment[];
  readonly redirects: PreparedRedirects;
}

interface PreparedAssignment {
  readonly name: string;
  /** A list of one, or an array. */
  readonly value: readonly string[];
  readonly isArray: boolean;
  readonly appends: boolean;
}

function prepare(node: Command, expansion: Expansion): Prepared {
  const assignments: PreparedAssignment[] = [];
  const prefix = node.prefix.length === 0 ? [] : node.prefix.filter((item) => item.type === 'Assignment');
  if (prefix.length > 0) {
    // One assignment may use the one before it, but the words see none of them.
    const frame = prefix.length > 1 ? { ...expansion.frame, scope: expansion.frame.scope.fork() } : expansion.frame;
    for (const item of prefix) {
      const prepared = prepareAssignment(item, { ...expansion, frame });
      assignments.push(prepared);
      if (prefix.length > 1) assign(prepared, frame.scope);
    }
  }
  const words = node.name ? [node.name, ...node.args] : [];
  const last = prefix.at(-1);
  // unbash takes `x=<(…) program` apart: the substitution is the value.
  if (last && node.name && last.end === node.name.pos && assignments.length > 0) {
    const value = expandJoined(node.name, expansion);
    assignments.splice(-1, 1, { name: last.name, value: [value], isArray: false, appends: last.append ?? false });
    words.shift();
  }
  const fields = words.length > 0 ? expandWords(words, expansion) : [];
  for (const item of node.suffix) {
    if (item.type === 'Assignment' && item.value.type === 'ArrayValue') assign(prepareAssignment(item, expansion), expansion.frame.scope);
  }
  return { fields, assignments, redirects: prepareRedirects(node.redirects, expansion) };
}

function prepareAssignment({ name, value, append, index }: Assignment, expansion: Expansion): PreparedAssignment {
  const key = index ? expandJoined(index, expansion) : null;
  if (value.type === 'ArrayValue') return { name, value: expandArray(name, value.elements, expansion), isArray: true, appends: append ?? false };
  const text = expandJoined(value, expansion);
  if (key === null) return { name, value: [text], isArray: false, appends: append ?? false };
  if (!/^\d{1,3}$/.test(key)) return { name: `${name}[${key}]`, value: [text], isArray: false, appends: append ?? false };
  const list = [...(expansion.frame.scope.variables.get(name)?.values[0] ?? [])];
  while (list.length < Number(key)) list.push('');
  list[Number(key)] = text;
  return { name, value: list, isArray: true, appends: false };
}

/** `([key]=value …)` makes variables of their own. */
function expandArray(name: string, elements: Parameters<typeof expandWords>[0], expansion: Expansion): readonly string[] {
  const items = expandWords(elements, expansion).map((item) => item.text);
  for (const item of items) {
    const [, key, text = ''] = /^\[([^\]]+)\]=(.*)$/s.exec(item) ?? [];
    if (key !== undefined) expansion.frame.scope.assign(`${name}[${key}]`, [[text]]);
  }
  return items;
}

function assign({ name, value, isArray, appends }: PreparedAssignment, scope: Scope): void {
  const before = appends ? scope.variables.get(name)?.values : undefined;
  if (!before) return scope.assign(name, [value]);
  scope.assign(name, before.map((known) => (!isArray ? [(known[0] ?? '') + (value[0] ?? '')] : [...known, ...value])));
}

function execute({ fields, assignments, redirects }: Prepared, frame: Frame, walker: Walker): Flow {
  const there = redirectedFrame(frame, redirects);
  if (fields.length === 0) {
    for (const assignment of assignments) {
      assign(assignment, frame.scope);
      walker.assigned(assignment.name, assignment.value.join(' '), frame);
    }
    // `$(< file)` prints the file.
    const printed = walker.runWriting(redirects.list, there, () => redirects.input ?? silence);
    return deliver(printed, redirects, { frame, walker });
  }
  const saved = assignments.map(({ name }): [string, Variable | undefined] => [name, frame.scope.variables.get(name)]);
  for (const assignment of assignments) {
    assign(assignment, frame.scope);
    const variable = frame.scope.variables.get(assignment.name);
    if (variable) frame.scope.variables.set(assignment.name, { ...variable, exported: true });
  }
  const environment = environmentOf(assignments, there, walker);
  for (const { name, value } of assignments) walker.assigned(name, value.join(' '), frame);
  const inside = environment === there.environment ? there : { ...there, environment };
  const printed = walker.runWriting(redirects.list, inside, () => walker.runWords(fields, inside));
  if (saved.length > 0) restore(saved, specialBuiltins.has(fields[0]?.text ?? ''), frame.scope);
  frame.scope.lastWord = fields.at(-1)?.text ?? null;
  return deliver(printed, redirects, { frame, walker });
}

function environmentOf(assignments: readonly PreparedAssignment[], { environment }: Frame, walker: Walker): ReadonlyMap<string, Word> {
  if (assignments.length === 0) return environment;
  return new Map([...environment, ...assignments.map(({ name, value }): [string, Word] => [name, walker.marks.word(value.join(' '), false)])]);
}

/** Assignments before a command are its own, except before some builtins in POSIX mode. */
function restore(saved: readonly [string, Variable | undefined][], mayStay: boolean, scope: Scope): void {
  for (const [name, before] of saved) {
    const now = scope.variables.get(name);
    if (mayStay && now) scope.variables.set(name, { values: [...(before?.values ?? []), ...now.values], exported: now.exported });
    else if (before) scope.variables.set(name, before);
    else scope.variables.delete(name);
  }
}

const specialBuiltins = new Set([':', '.', 'break', 'continue', 'eval', 'exec', 'export', 'readonly', 'return', 'set', 'shift', 'times', 'trap', 'unset', 'source']);

