import { anything, silence, type Flow } from '../flow.ts';
import { field, type Call, type Field, type Machine, type ProgramHandler } from '../machine.ts';
import { isKnown } from '../marks.ts';
import { quoteFields } from '../quote.ts';
import { runLine } from './wrappers.ts';
import { hasOption, options, scanOptions, valuesOf, type Scanned } from './options.ts';

const spec = options('-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars -R -S -J --process-slot-var', { attached: '-i -e -l' });

/** `… | xargs git push`: the command with what is read behind it, or in the place of `{}`. */
export const xargs: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, spec);
  const [file] = valuesOf(scanned, '-a --arg-file');
  const input = file ? (call.frame.scope.written(file.text) ?? anything) : call.frame.input;
  const command = scanned.operands.length > 0 ? scanned.operands : [field('echo')];
  const [replaced] = valuesOf(scanned, '-I -J -i --replace');
  const placeholder = replaced?.text ?? (hasOption(scanned, '-i --replace') ? '{}' : null);
  const items = itemsOf(input, scanned, placeholder !== null);
  // Without a pipe it reads what the agent's shell reads.
  if (!items || (items.length === 0 && input === silence)) {
    const word: Field = { text: machine.marks.add('the input of xargs', input.wild ? 'wild' : 'tame'), plural: true };
    return machine.runExternal(placeholder === null ? [...command, word] : fill(command, placeholder, word), call.frame);
  }
  if (placeholder !== null) return runEach(items.map((item) => fill(command, placeholder, item)), call, machine);
  const size = Number(valuesOf(scanned, '-n --max-args -L --max-lines')[0]?.text ?? items.length) || Math.max(1, items.length);
  const batches = Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, index) => items.slice(index * size, (index + 1) * size));
  return runEach(batches.map((batch) => [...command, ...batch]), call, machine);
};

/** GNU parallel: a shell reads each command that it builds. */
export const parallel: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, options('-j --jobs -a --arg-file -d --delimiter -I -n --max-args -N --joblog --results -S --sshlogin --timeout --tmpdir --delay --retries --wd --workdir -C --colsep -l -L -P --max-procs --halt --memfree --load --bar-x --tagstring --block --recstart --recend'));
  const separator = scanned.operands.findIndex((word) => /^:::\+?|^::::\+?$/.test(word.text));
  const template = separator < 0 ? scanned.operands : scanned.operands.slice(0, separator);
  const given = separator < 0 ? null : scanned.operands.slice(separator + 1).filter((word) => !word.text.startsWith(':::'));
  const isFile = separator >= 0 && scanned.operands[separator]?.text.startsWith('::::') === true;
  const lines = isFile || (given === null && call.frame.input.text === null) ? null : (given ?? linesOf(call.frame.input));
  const unknown: Field = { text: machine.marks.add('the input of parallel', 'tame'), plural: true };
  for (const item of lines ?? [unknown]) {
    const words = template.map((word) => word.text).join(' ');
    const isPlain = template.length > 0;
    const quoted = quoteFields([item]);
    const line = !isPlain ? item.text : /\{[^}]*\}/.test(words) ? words.replace(/\{[^}]*\}/g, () => quoted) : `${words} ${quoted}`;
    runLine(line, call.frame, machine);
  }
  return anything;
};

function runEach(commands: readonly (readonly Field[])[], call: Call, machine: Machine): Flow {
  let printed: Flow | null = null;
  for (const command of commands.slice(0, batchesMax)) {
    const flow = machine.runExternal(command, call.frame);
    printed = printed === null ? flow : printed.text === null || flow.text === null ? anything : { text: printed.text + flow.text, wild: false };
  }
  if (commands.length > batchesMax) machine.unknown('xargs runs more than is followed', call.path);
  return printed ?? anything;
}

const batchesMax = 64;

function fill(command: readonly Field[], placeholder: string, item: Field): readonly Field[] {
  return command.map((word) => (word.text.includes(placeholder) ? { text: word.text.replaceAll(placeholder, () => item.text), plural: false } : word));
}

function linesOf({ text }: Flow): readonly Field[] {
  return (text ?? '').split('\n').filter((line) => line.trim() !== '').map(field);
}

/** Null: not known. */
function itemsOf({ text }: Flow, scanned: Scanned, byLine: boolean): readonly Field[] | null {
  if (text === null) return null;
  const [delimiter] = valuesOf(scanned, '-d --delimiter');
  if (hasOption(scanned, '-0 --null')) return text === '' ? [] : [field(text.replace(/\n$/, ''))];
  const separator = delimiter?.text.replace('\\n', '\n').replace('\\t', '\t').replace('\\0', '\0');
  const pieces = separator ? text.replace(/\n$/, '').split(separator) : byLine ? text.split('\n').map((line) => line.trim()) : splitQuoted(text);
  return pieces.filter((piece) => piece !== '').map((piece) => ({ text: piece, plural: !isKnown(piece) }));
}

/** Words as xargs reads them: blanks separate, quotes and backslashes protect. */
function splitQuoted(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"'\\]|\\[\s\S]|"[^"\n]*"|'[^'\n]*')+/g) ?? [];
  return words.map((word) => word.replace(/\\([\s\S])|"([^"\n]*)"|'([^'\n]*)'/g, (...[, escaped, double, single]: (string | undefined)[]) => escaped ?? double ?? single ?? ''));
}
