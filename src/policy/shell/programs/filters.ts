import { anything, concat, flowOf, silence, type Flow } from '../flow.ts';
import type { Call, Field, ProgramHandler } from '../machine.ts';
import { isKnown } from '../marks.ts';
import { isStandardInput } from '../redirects.ts';
import { decodeBase64, decodeHex } from './decoders.ts';
import { unescaped } from './escapes.ts';
import { hasOption, options, scanOptions, type Scanned, valuesOf } from './options.ts';

/** Programs whose output follows from their input and arguments, as far as it is followed. */

type Filter = (call: Call) => Flow;

function filter(print: Filter): ProgramHandler {
  return (call, machine) => {
    machine.emit(call);
    return print(call);
  };
}

const echo: Filter = ({ args }) => {
  let at = 0;
  while (/^-[neE]+$/.test(args[at]?.text ?? '')) at += 1;
  const flags = args.slice(0, at).map((word) => word.text).join('');
  const words = args.slice(at);
  const text = words.map((word) => word.text).join(' ');
  return flowOf((/e/.test(flags) ? unescaped(text) : text) + (/n/.test(flags) ? '' : '\n'));
};

/** The files that are named, else the input. */
function contents(operands: readonly Field[], { frame }: Call): Flow {
  if (operands.length === 0) return frame.input;
  let flow = silence;
  for (const { text } of operands) flow = concat(flow, isStandardInput(text) ? frame.input : (frame.scope.written(text) ?? anything));
  return flow;
}

/** A filter that changes each known text, where its options are understood. */
function change(valued: string, changeText: (text: string, scanned: Scanned) => string | null): Filter {
  const spec = options(valued, { permutes: true });
  return (call) => {
    const scanned = scanOptions(call.args, spec);
    const flow = contents(scanned.operands, call);
    const changed = flow.text !== null && isKnown(flow.text) ? changeText(flow.text, scanned) : null;
    return changed === null ? (flow === silence ? silence : anything) : flowOf(changed);
  };
}

const lineCount = (scanned: Scanned): number | null => {
  const value = valuesOf(scanned, '-n --lines')[0]?.text ?? scanned.options.find(({ name }) => /^-\d$/.test(name))?.name.slice(1) ?? '10';
  return /^\d+$/.test(value) ? Number(value) : null;
};

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

function joinLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const tee: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, options(''));
  for (const { text } of scanned.operands) {
    const before = hasOption(scanned, '-a --append') ? (call.frame.scope.written(text) ?? silence) : silence;
    call.frame.scope.write(text, concat(before, call.frame.input));
    if (call.frame.input.text !== null) machine.saved(text, call.frame.input.text, call.frame);
  }
  return call.frame.input;
};

/** `tr` with sets that are letters, ranges and escapes. */
const translate: Filter = ({ args, frame }) => {
  const { options: flags, operands } = scanOptions(args, options(''));
  const [from, to] = operands.map((word) => spread(word.text));
  const { text } = frame.input;
  if (text === null || !isKnown(text) || from === null || from === undefined || to === null) return frame.input === silence ? silence : anything;
  const isDelete = flags.some(({ name }) => name === '-d' || name === '--delete');
  if (flags.length > (isDelete ? 1 : 0) || (!isDelete && !to)) return anything;
  const characters = Array.from(text, (char) => {
    const index = from.lastIndexOf(char);
    if (index < 0) return char;
    return isDelete || !to ? '' : (to.at(Math.min(index, to.length - 1)) ?? char);
  });
  return flowOf(characters.join(''));
};

function spread(set: string): readonly string[] | null {
  if (/\[[:=]/.test(set) || !isKnown(set)) {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const named = new Map([['[:lower:]', letters], ['[:upper:]', letters.toUpperCase()], ['[:space:]', ' \t\n\r\f\v'], ['[:blank:]', ' \t'], ['[:digit:]', '0123456789']]);
    const members = named.get(set);
    return members === undefined ? null : Array.from(members);
  }
  const chars = Array.from(unescaped(set));
  return chars.flatMap((char, index) => {
    const [before, after] = [chars[index - 1], chars[index + 1]];
    if (char !== '-' || before === undefined || after === undefined || before > after) return [char];
    const [start, end] = [before.charCodeAt(0) + 1, after.charCodeAt(0)];
    return Array.from({ length: Math.min(256, Math.max(0, end - start)) }, (_, offset) => String.fromCharCode(start + offset));
  });
}

const sequence: Filter = ({ args }) => {
  const numbers = args.map((word) => (/^-?\d{1,6}$/.test(word.text) ? Number(word.text) : NaN));
  const [first = NaN, step = 1, last = first] = numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  const count = Math.floor((last - first) / step) + 1;
  if (!(count >= 0 && count <= 256)) return { text: null, wild: false };
  return flowOf(joinLines(Array.from({ length: count }, (_, index) => String(first + step * index))));
};

const base64 = change('-w --wrap -i --input -o -b', (text, scanned) => (hasOption(scanned, '-d -D --decode -di') ? decodeBase64(text) : null));

const openssl: Filter = (call) => {
  const words = call.args.map((word) => word.text);
  const { text } = call.frame.input;
  return words.includes('-d') && (words.includes('base64') || words.includes('-base64') || words.includes('-a')) && text !== null && isKnown(text) && !words.includes('-in')
    ? flowOf(decodeBase64(text) ?? '')
    : anything;
};

/** Programs that pass their input on, or might as well. */
const pass: Filter = (call) => contents(scanOptions(call.args, options('')).operands, call);

const prints: ReadonlyMap<string, Filter> = new Map([
  ['echo', echo],
  ['cat', pass],
  ['tac', change('-s', (text) => joinLines(linesOf(text).reverse()))],
  ['rev', change('', (text) => joinLines(linesOf(text).map((line) => Array.from(line).reverse().join(''))))],
  ['head', change('-n --lines -c --bytes', (text, scanned) => (hasOption(scanned, '-c --bytes') || lineCount(scanned) === null ? null : joinLines(linesOf(text).slice(0, lineCount(scanned) ?? 0))))],
  ['tail', change('-n --lines -c --bytes', (text, scanned) => (hasOption(scanned, '-c --bytes') || !lineCount(scanned) ? null : joinLines(linesOf(text).slice(-(lineCount(scanned) ?? 1)))))],
  ['tr', translate],
  ['base64', base64],
  ['gbase64', base64],
  ['openssl', openssl],
  ['xxd', change('-c -g -l -s -o', (text, scanned) => (hasOption(scanned, '-r') && hasOption(scanned, '-p -ps') ? decodeHex(text) : null))],
  ['seq', sequence],
  ['sponge', pass],
  ['pv', pass],
  ['sort', change('-k -t -o -S -T', (text, scanned) => (scanned.options.length > 0 ? null : joinLines(linesOf(text).sort())))],
  ['yes', ({ args }) => flowOf(`${args.length === 0 ? 'y' : args.map((word) => word.text).join(' ')}\n`)],
]);

export const filters: ReadonlyMap<string, ProgramHandler> = new Map([...[...prints].map(([name, print]): [string, ProgramHandler] => [name, filter(print)]), ['tee', tee]]);
