import { anything, flowOf, silence } from '../flow.ts';
import type { ProgramHandler } from '../machine.ts';
import { isStandardInput } from '../redirects.ts';
import { options, scanOptions, hasOption, valuesOf } from './options.ts';
import { runFile, runInput } from './shells.ts';

/** Builtins that run what they are given. */

const evaluate: ProgramHandler = ({ args, frame }, machine) => {
  const words = args[0]?.text === '--' ? args.slice(1) : args;
  return machine.runText(words.map((word) => word.text).join(' '), { ...frame, depth: frame.depth + 1 });
};

const source: ProgramHandler = (call, machine) => {
  const [file, ...operands] = call.args[0]?.text === '--' ? call.args.slice(1) : call.args;
  machine.emit(call);
  if (!file) return silence;
  // It runs in this shell, so what it assigns stays.
  if (isStandardInput(file.text) && call.frame.input.text !== null) return machine.runText(call.frame.input.text, { ...call.frame, depth: call.frame.depth + 1 });
  return isStandardInput(file.text) ? runInput(call, machine) : runFile(file, { call, machine, operands });
};

const trap: ProgramHandler = (call, machine) => {
  const [action] = call.args.filter((word) => !/^-[lp]$|^--$/.test(word.text));
  if (action && call.args.length > 1 && action.text !== '-') machine.runText(action.text, { ...call.frame, scope: call.frame.scope.fork(), depth: call.frame.depth + 1 });
  return silence;
};

/** zsh's `emulate sh -c 'git push'`. */
const emulate: ProgramHandler = (call, machine) => {
  const at = call.args.findIndex((word) => word.text === '-c');
  return at < 0 ? silence : evaluate({ ...call, args: call.args.slice(at + 1) }, machine);
};

/** `command git`, `builtin cd`: no function is looked up. `command -v git` only says where it is. */
const commandBuiltin: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, options(''));
  if (hasOption(scanned, '-v -V')) return locate({ ...call, args: scanned.operands }, machine);
  return scanned.operands.length === 0 ? silence : machine.runExternal(scanned.operands, call.frame);
};

const exec: ProgramHandler = (call, machine) => {
  const { operands } = scanOptions(call.args, options('-a'));
  if (operands.length > 0) return machine.runExternal(operands, call.frame);
  // `exec < file` changes what the commands that follow read.
  if (call.frame.input !== silence) call.frame.scope.input = call.frame.input;
  return silence;
};

/** What prints where a program is: the name stands for it. */
const locate: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const names = call.args.filter((word) => !word.text.startsWith('-'));
  const [name] = names;
  if (!name || names.length > 1) return anything;
  const isFile = call.program === 'which' || (!name.text.includes('/') && !call.frame.scope.functions.get(name.text));
  return flowOf(`${isFile ? '/usr/bin/' : ''}${name.text}\n`);
};

/** `hash -p /usr/bin/git g` makes `g` run git. */
const hash: ProgramHandler = (call) => {
  const scanned = scanOptions(call.args, options('-p'));
  const [path] = valuesOf(scanned, '-p');
  const [name] = scanned.operands;
  if (path && name) call.frame.scope.aliases.set(name.text, [path.text]);
  return silence;
};

/** `bind -x '"\C-x": git push'`, `complete -C 'git push'`, `fc -e 'git push'`. */
const binding: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, options('-x -C -e -F -A -G -W -P -S -X -o -m -f -q -u -r'));
  for (const line of valuesOf(scanned, '-x -C -e')) {
    const text = line.text.replace(/^\s*"[^"]*"\s*:\s*/, '').replace(/^"(.*)"$/s, '$1');
    machine.runText(text, { ...call.frame, scope: call.frame.scope.fork(), depth: call.frame.depth + 1 });
  }
  return silence;
};

const jobs: ProgramHandler = (call, machine) => (call.args[0]?.text === '-x' ? machine.runExternal(call.args.slice(1), call.frame) : silence);

/** `zargs -- a b -- git push`. */
const zargs: ProgramHandler = (call, machine) => {
  const ends = call.args.flatMap((word, index) => (word.text === '--' ? [index] : []));
  const items = call.args.slice((ends[0] ?? -1) + 1, ends[1] ?? call.args.length);
  const command = ends[1] === undefined ? [] : call.args.slice(ends[1] + 1);
  return machine.runExternal([...command, ...items], call.frame);
};

export const evaluationBuiltins: ReadonlyMap<string, ProgramHandler> = new Map([
  ['eval', evaluate],
  ['emulate', emulate],
  ['iex', evaluate],
  ['invoke-expression', evaluate],
  ['source', source],
  ['.', source],
  ['trap', trap],
  ['command', commandBuiltin],
  ['builtin', commandBuiltin],
  ['exec', exec],
  ['-', exec],
  ['hash', hash],
  ['bind', binding],
  ['complete', binding],
  ['compgen', binding],
  ['fc', binding],
  ['jobs', jobs],
  ['zargs', zargs],
  ['type', locate],
  ['which', locate],
  ['whence', locate],
  ['where', locate],
]);
