import { anything } from '../flow.ts';
import type { Call, Field, Machine, ProgramHandler } from '../machine.ts';
import { options, scanOptions, valuesOf } from './options.ts';
import { runInput } from './shells.ts';
import { runLine } from './wrappers.ts';

/** Programs that run commands in another terminal, or later. */

/** `tmux new-session -d 'git push'`, `tmux send-keys 'git push' Enter`. */
const tmux: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const at = call.args.findIndex((word) => /^(new|new-session|new-window|neww|split-window|splitw|respawn-pane|respawn-window|run|run-shell|display-popup|popup|if-shell|if|pipe-pane|send|send-keys|set-hook|bind|bind-key)$/.test(word.text));
  if (at < 0) return anything;
  const scanned = scanOptions(call.args.slice(at + 1), options(`-s -n -c -t -x -y -F -e -l -p -N -b -T -X ${/popup/.test(call.args[at]?.text ?? '') ? '-w -h -d -S' : ''}`));
  for (const directory of valuesOf(scanned, '-c')) if (!/^(send|run|if|pipe|bind|set)/.test(call.args[at]?.text ?? '')) machine.emitChange(directory, call.frame);
  const words = scanned.operands.filter((word) => !/^(Enter|C-m|KPEnter)$/.test(word.text));
  runWords(words, call, machine);
  // Keys are typed one behind the other.
  if (/^send/.test(call.args[at]?.text ?? '') && words.length > 1) machine.quietly(() => runLine(words.map((word) => word.text.replace(/^Space$/, ' ')).join(''), call.frame, machine));
  return anything;
};

/** One word is a command line, several are a command. */
function runWords(words: readonly Field[], call: Call, machine: Machine): void {
  runLine(words.map((word) => word.text).join(' '), call.frame, machine);
}

const screen: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const stuff = call.args.findIndex((word) => word.text === 'stuff');
  if (stuff >= 0) runWords(call.args.slice(stuff + 1), call, machine);
  else machine.runExternal(scanOptions(call.args, options('-S -t -c -e -h -p -s -T -X -Q')).operands.slice(call.args.some((word) => /^-[rx]$/.test(word.text)) ? 1 : 0), call.frame);
  return anything;
};

/** `script -c 'git push'`; on other systems the command stands behind the file. */
const script: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, options('-c --command -t -T -I -O -B -E -m -o -F', { permutes: false }));
  const given = valuesOf(scanned, '-c --command');
  for (const { text } of given) runLine(text, call.frame, machine);
  if (given.length > 0) return anything;
  const [, second] = scanned.operands;
  if (second && /^(-c|--command)$/.test(second.text)) return runLine(scanned.operands[2]?.text ?? '', call.frame, machine);
  return machine.runExternal(scanned.operands.slice(1), call.frame);
};

/** `at now`, `batch` and `crontab -` read commands. */
const later: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const { input } = call.frame;
  if (call.program === 'crontab') {
    if (input.text === null) machine.unknown('it reads commands that are not known', call.path);
    for (const line of (input.text ?? '').split('\n')) runLine(line.replace(/^\s*(@\w+|(\S+\s+){5})/, ''), call.frame, machine);
    return anything;
  }
  if (input.text !== '') runInput(call, machine);
  return anything;
};

export const terminals: ReadonlyMap<string, ProgramHandler> = new Map([
  ['tmux', tmux],
  ['byobu', tmux],
  ['screen', screen],
  ['script', script],
  ...['at', 'batch', 'crontab'].map((name): [string, ProgramHandler] => [name, later]),
]);
