import { anything, silence, type Flow } from '../flow.ts';
import { splitFields } from '../fields.ts';
import { isKnown, kindOfAny } from '../marks.ts';
import { joinPath } from '../path.ts';
import { field, type Call, type Field, type Machine, type ProgramHandler } from '../machine.ts';
import { formatted } from './printf.ts';
import { hasOption, options, scanOptions, valuesOf } from './options.ts';

/** Builtins that change what the shell remembers. */

/** `export`, `declare`, `local` and their kin, with `name=value` or a name alone. */
function declare(exports: boolean, isLocal: boolean): ProgramHandler {
  return (call, machine) => {
    const { scope } = call.frame;
    const scanned = scanOptions(call.args, options(''));
    const isReference = hasOption(scanned, '-n') && call.program !== 'export';
    for (const { text } of scanned.operands) {
      const [, name = '', appends, , value] = /^([A-Za-z_]\w*)(\+)?(=([\s\S]*))?$/.exec(text) ?? [];
      if (name === '') continue;
      const before = scope.variables.get(name);
      if (isLocal && scope.locals && !scope.locals.has(name)) scope.locals.set(name, before);
      const exported = exports || hasOption(scanned, '-x') || (before?.exported ?? false);
      if (value === undefined) {
        if (before) scope.variables.set(name, { ...before, exported });
        continue;
      }
      if (/\$\(|`/.test(value)) machine.expandText(value, call.frame);
      const whole = isReference ? machine.marks.add(`$${name}`, 'wild') : (appends ? (before?.values[0]?.[0] ?? '') : '') + value;
      scope.variables.set(name, { values: [[whole]], exported });
      machine.assigned(name, value, call.frame);
    }
    return silence;
  };
}

const alias: ProgramHandler = ({ args, frame }) => {
  for (const { text } of args) {
    const [, name = '', value = ''] = /^([^=\s]+)=([\s\S]*)$/.exec(text) ?? [];
    if (name !== '') frame.scope.aliases.set(name, [value]);
  }
  return silence;
};

const unset: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, options(''));
  for (const { text } of scanned.operands) {
    if (/\$\(|`/.test(text)) machine.expandText(text, call.frame);
    if (hasOption(scanned, '-f')) call.frame.scope.functions.delete(text);
    else call.frame.scope.variables.delete(text);
  }
  return silence;
};

const unalias: ProgramHandler = ({ args, frame }) => {
  for (const { text } of args) frame.scope.aliases.delete(text);
  return silence;
};

const set: ProgramHandler = ({ args, frame }) => {
  const dashes = args.findIndex((word) => word.text === '--' || word.text === '-');
  const first = dashes >= 0 ? dashes + 1 : args.findIndex((word, index) => !/^[-+]/.test(word.text) && !/^[-+]o$/.test(args[index - 1]?.text ?? ''));
  if (dashes < 0 && first < 0) return silence;
  const words = args.slice(first);
  frame.scope.positional = words.some((word) => word.plural) ? null : words.map((word) => word.text);
  return silence;
};

const shift: ProgramHandler = ({ args, frame }) => {
  const by = Number(args[0]?.text ?? '1');
  frame.scope.positional = Number.isInteger(by) && frame.scope.positional ? frame.scope.positional.slice(by) : null;
  return silence;
};

/** Each line of the input is one of the values, since in a loop each comes once. */
const read: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, options('-a -d -i -n -N -p -t -u -k'));
  const { scope } = call.frame;
  const [descriptor] = valuesOf(scanned, '-u');
  const input = descriptor ? (scope.written(`/dev/fd/${descriptor.text}`) ?? anything) : call.frame.input;
  const [array] = valuesOf(scanned, '-a');
  const names = array ? [array.text] : scanned.operands.map((word) => word.text.replace(/\?.*$/s, ''));
  if (names.length === 0) names.push('REPLY');
  for (const name of names) if (/\$\(|`/.test(name)) machine.expandText(name, call.frame);
  const lines = input.text === null || input.text === '' ? null : linesOf(input.text, valuesOf(scanned, '-d')[0]);
  if (!lines || lines.length > linesMax) {
    for (const name of names) scope.assign(name, [[machine.marks.add(`$${name}`, input.wild ? 'wild' : kindOfAny(lines ?? [], machine.marks))]]);
    return silence;
  }
  const separators = scope.variables.get('IFS')?.values[0]?.[0] ?? ' \t\n';
  const rows = lines.map((line) => splitFields(separators === '' ? line : line.replace(trimmed(separators), ''), separators));
  if (array) scope.assign(array.text, rows);
  else for (const [index, name] of names.entries()) scope.assign(name, rows.map((row, line) => [index === names.length - 1 ? rest(row, index, lines[line] ?? '') : (row[index] ?? '')]));
  return silence;
};

const linesMax = 16;

function linesOf(text: string, delimiter: Field | undefined): readonly string[] {
  if (delimiter) return [delimiter.text === '' ? text.replace(/\n$/, '') : (text.split(delimiter.text.charAt(0))[0] ?? '')];
  return text.replace(/\n$/, '').replace(/\\\n/g, '').split('\n');
}

function trimmed(separators: string): RegExp {
  return separators.includes(' ') || separators.includes('\t') ? /^[ \t]+|[ \t]+$/g : /^(?!)/;
}

/** The last variable gets all that is left of the line, with its separators. */
function rest(row: readonly string[], from: number, line: string): string {
  if (from === 0) return line.trim();
  let at = 0;
  for (const piece of row.slice(0, from)) at = line.indexOf(piece, at) + piece.length;
  return line.slice(at).trim();
}

const mapfile: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, options('-d -n -O -s -u -C -c'));
  const name = scanned.operands[0]?.text ?? 'MAPFILE';
  const { text, wild } = call.frame.input;
  for (const line of valuesOf(scanned, '-C')) machine.runText(line.text, { ...call.frame, depth: call.frame.depth + 1 });
  call.frame.scope.assign(name, [text === null ? [machine.marks.add(`$${name}`, wild ? 'wild' : 'tame')] : text.replace(/\n$/, '').split('\n')]);
  return silence;
};

/** `printf`, also with `-v`. */
const printf: ProgramHandler = (call, machine): Flow => {
  const [first, second] = call.args;
  const target = first?.text === '-v' ? second?.text : undefined;
  const [format, ...values] = target === undefined ? call.args.filter((word, index) => index > 0 || word.text !== '--') : call.args.slice(2);
  const printed = format ? formatted(format, values) : silence;
  if (target === undefined) {
    machine.emit(call);
    return printed;
  }
  if (/\$\(|`/.test(target)) machine.expandText(target, call.frame);
  call.frame.scope.assign(target, [[printed.text ?? machine.marks.add(`$${target}`, 'wild')]]);
  return silence;
};

/** `let`, `test` and `[` evaluate an index, also where it was in quotes. */
const evaluated: ProgramHandler = (call: Call, machine: Machine) => {
  for (const { text } of call.args) if (/\[.*(\$\(|`)/.test(text)) machine.expandText(text, call.frame);
  machine.emit(call);
  return silence;
};

/** Where the commands that follow run. */
const changeDirectory: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const { scope } = call.frame;
  const [target] = call.args.filter((word) => !/^-[LPe@]+$|^--$/.test(word.text));
  if (!target) scope.directory = '~';
  else scope.directory = isKnown(target.text) && target.text !== '-' ? joinPath(scope.directory, target.text) : null;
  return silence;
};

/** They print nothing. */
const quiet: ProgramHandler = (call, machine) => {
  machine.emit(call);
  return silence;
};

/** With `autocd` the name of a directory alone changes to it. */
const shellOption: ProgramHandler = (call, machine) => {
  machine.emit(call);
  if (call.args.some(({ text }) => /^auto_?cd$/i.test(text)) && call.args[0]?.text !== '-u') machine.emitChange(field(machine.marks.add('autocd', 'wild')), call.frame);
  return silence;
};

export const stateBuiltins: ReadonlyMap<string, ProgramHandler> = new Map([
  ['export', declare(true, false)],
  ['declare', declare(false, true)],
  ['typeset', declare(false, true)],
  ['local', declare(false, true)],
  ['readonly', declare(false, false)],
  ['alias', alias],
  ['unalias', unalias],
  ['unset', unset],
  ['set', set],
  ['shift', shift],
  ['read', read],
  ['mapfile', mapfile],
  ['readarray', mapfile],
  ['printf', printf],
  ...['cd', 'chdir', 'pushd', 'popd'].map((name): [string, ProgramHandler] => [name, changeDirectory]),
  ['shopt', shellOption],
  ['setopt', shellOption],
  ['let', evaluated],
  ['test', evaluated],
  ['[', evaluated],
  ...[':', 'true', 'false', 'exit', 'return', 'break', 'continue', 'wait', 'umask', 'ulimit', 'disown', 'enable'].map(
    (name): [string, ProgramHandler] => [name, quiet],
  ),
]);

