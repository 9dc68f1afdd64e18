import { anything } from '../flow.ts';
import type { ProgramHandler } from '../machine.ts';
import { hasOption, options, scanOptions, valuesOf } from './options.ts';
import { runInput, shell } from './shells.ts';
import { runLine, sudoSpec, wrapper } from './wrappers.ts';

/** Programs that run a command, or a shell, as somebody else. */

const runSudo = wrapper(sudoSpec);

/** `sudo -s` and `sudo -i` run a shell, which reads the input where no command is given. */
const sudo: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, options(`${sudoSpec.valued ?? ''} ${sudoSpec.directory ?? ''}`));
  if (scanned.operands.length === 0 && hasOption(scanned, '-s -i --shell --login')) runInput(call, machine);
  return runSudo(call, machine);
};

const su: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, options('-c --command --session-command -s --shell -g --group -G --supp-group -w --whitelist-environment -u --user', { permutes: true }));
  const commands = valuesOf(scanned, '-c --command --session-command');
  for (const { text } of commands) runLine(text, call.frame, machine);
  if (commands.length > 0) return anything;
  machine.emit(call);
  // `runuser -u dev -- git push`; the input of `su` is read by a shell.
  if (scanned.before !== null) return machine.runExternal(scanned.operands.slice(scanned.before), call.frame);
  if (call.program === 'runuser' && hasOption(scanned, '-u --user')) return machine.runExternal(scanned.operands, call.frame);
  return runInput(call, machine);
};

/** `sg group 'git push'`. */
const sg: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const words = call.args.filter((word) => word.text !== '-' && word.text !== '-c').slice(1);
  return words.length === 0 ? anything : runLine(words.map((word) => word.text).join(' '), call.frame, machine);
};

/** `capsh -- -c 'git push'`: what stands behind `--` are the arguments of bash. */
const capsh: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const end = call.args.findIndex((word) => word.text === '--');
  return end < 0 ? anything : shell({ ...call, args: call.args.slice(end + 1) }, machine);
};

/** `start-stop-daemon --start --exec /usr/bin/git -- push`. */
const startDaemon: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, options('-x --exec -a --startas -p --pidfile -n --name -u --user -c --chuid -g --group -N --nicelevel -s --signal', { permutes: true }));
  for (const directory of valuesOf(scanned, '-d --chdir')) machine.emitChange(directory, call.frame);
  for (const program of valuesOf(scanned, '-x --exec -a --startas')) machine.runExternal([program, ...scanned.operands.slice(scanned.before ?? 0)], call.frame);
  return anything;
};

export const privileged: ReadonlyMap<string, ProgramHandler> = new Map([
  ['sudo', sudo],
  ['sudo-rs', sudo],
  ['su', su],
  ['runuser', su],
  ['sg', sg],
  ['capsh', capsh],
  ['start-stop-daemon', startDaemon],
]);
