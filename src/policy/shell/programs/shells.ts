import { anything, silence, type Flow } from '../flow.ts';
import type { Call, Field, Machine, ProgramHandler } from '../machine.ts';
import { isKnown } from '../marks.ts';
import { isStandardInput } from '../redirects.ts';
import { unescaped } from './escapes.ts';

/** `sh` and its kin: a command string, a script file, or the standard input. */
export const shell: ProgramHandler = (call, machine) => {
  const { line, isOpen, operands, files, readsInput } = readOptions(call.args);
  for (const file of files) runFile(file, { call, machine, operands: [] });
  if (line) return runString(line, operands, { call, machine });
  if (isOpen) {
    machine.unknown('it is not known what the shell is told to run', showArgs(call, machine));
    return anything;
  }
  const [script, ...args] = operands;
  machine.emit(call);
  if (script && !readsInput && !isStandardInput(script.text)) return runFile(script, { call, machine, operands: args });
  return runInput(call, machine);
};

/** What a shell, or anything that reads commands, does with its standard input. */
export function runInput(call: Call, machine: Machine): Flow {
  const { input, redirects } = call.frame;
  if (input.text !== null) {
    const frame = { ...call.frame, scope: call.frame.scope.child(), input: silence, depth: call.frame.depth + 1 };
    const printed = machine.runText(input.text, frame);
    // Some shells' `echo` has taken the escapes out already.
    const plain = unescaped(input.text);
    if (plain !== input.text) machine.quietly(() => machine.runText(plain, frame));
    return printed;
  }
  // A file that was there before is a script like any other.
  if (!redirects.some(({ operator, target }) => operator.startsWith('<') && target.certain && !call.frame.scope.written(target.text))) {
    machine.unknown('it reads commands that are not known', showArgs(call, machine));
  }
  return anything;
}

interface Reading {
  readonly call: Call;
  readonly machine: Machine;
}

function runString(line: Field, [name, ...positional]: readonly Field[], { call, machine }: Reading): Flow {
  const scope = call.frame.scope.child();
  scope.name = name?.text ?? call.program;
  scope.positional = name?.plural || positional.some((word) => word.plural) ? null : positional.map((word) => word.text);
  if (line.plural) machine.unknown('it is not known what the shell is told to run', showArgs(call, machine));
  const bashEnv = call.frame.environment.get('BASH_ENV') ?? call.frame.environment.get('ENV');
  const startup = bashEnv ? scope.written(bashEnv.text)?.text : undefined;
  const frame = { ...call.frame, scope, depth: call.frame.depth + 1 };
  if (startup) machine.runText(startup, frame);
  return machine.runText(line.text, frame);
}

/** A script: what the line wrote into it, else a file like any other. */
export function runFile(script: Field, { call, machine, operands }: Reading & { operands: readonly Field[] }): Flow {
  const { frame } = call;
  const written = frame.scope.written(script.text);
  if (!written) {
    // A file that was there before is a script like any other; what a download names is not.
    if (machine.marks.isWild(script.text)) machine.unknown('it is not known which script it runs', machine.marks.show(script.text));
    return anything;
  }
  if (written.text === null) {
    machine.unknown('it runs a file that the line itself makes', script.text);
    return anything;
  }
  const scope = frame.scope.child();
  scope.positional = operands.map((word) => word.text);
  return machine.runText(written.text, { ...frame, scope, depth: frame.depth + 1 });
}

interface ShellOptions {
  readonly line: Field | null;
  /** An option is not known: there may be a `-c` in it. */
  readonly isOpen: boolean;
  /** What stands behind the options and the command string. */
  readonly operands: readonly Field[];
  /** Files that are read first. */
  readonly files: readonly Field[];
  readonly readsInput: boolean;
}

function readOptions(args: readonly Field[]): ShellOptions {
  const files: Field[] = [];
  let [at, takesLine, readsInput, isOpen] = [0, false, false, false];
  let attached: Field | null = null;
  for (; at < args.length; at += 1) {
    const { text, plural } = args[at] ?? { text: '', plural: false };
    const next = args[at + 1];
    if (!isKnown(text) && (plural || text.startsWith('-'))) {
      isOpen = true;
      if (text.startsWith('-')) continue;
    }
    if (text === '--' || text === '-') {
      at += 1;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (/^--?(rcfile|init-file)$/.test(text)) {
      if (next) files.push(next);
      at += 1;
    } else if (/^--?(init-command|command)=/.test(text)) attached = { text: text.slice(text.indexOf('=') + 1), plural };
    else if (/^--?(init-command|command)$/.test(text)) takesLine = true;
    else if (!text.startsWith('--')) {
      const letters = text.slice(1);
      if (letters.includes('c') && text.startsWith('-')) takesLine = true;
      if (letters.includes('s')) readsInput = true;
      if (/[oO]$/.test(letters)) at += 1;
    }
  }
  const operands = args.slice(at);
  const [line] = operands;
  if (attached) return { line: attached, isOpen, operands, files, readsInput };
  return { line: takesLine && line ? line : null, isOpen: isOpen && !takesLine, operands: takesLine ? operands.slice(1) : operands, files, readsInput };
}

function showArgs({ path, args }: Call, { marks }: Machine): string {
  return [path, ...args.map((arg) => marks.show(arg.text))].join(' ');
}
