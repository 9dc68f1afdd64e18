import { anything } from '../flow.ts';
import type { ProgramHandler } from '../machine.ts';
import { options, scanOptions, valuesOf } from './options.ts';
import { runLine } from './wrappers.ts';

/** make, with rules that the line itself gives. What an existing makefile runs is not looked at. */
export const make: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, options('-f --file --makefile -j-x -I --include-dir -o --old-file -W --what-if --eval -E -C --directory', { permutes: true }));
  for (const directory of valuesOf(scanned, '-C --directory')) machine.emitChange(directory, call.frame);
  machine.emit(call);
  const sources = valuesOf(scanned, '--eval -E').map((word) => word.text);
  for (const file of valuesOf(scanned, '-f --file --makefile')) {
    const written = file.text === '-' ? call.frame.input : call.frame.scope.written(file.text);
    if (written?.text === null) machine.unknown('it runs a file that is not known', file.text);
    else if (written) sources.push(written.text);
  }
  if (valuesOf(scanned, '-f --file --makefile').length === 0) sources.push(call.frame.scope.written('Makefile')?.text ?? call.frame.scope.written('makefile')?.text ?? '');
  for (const source of sources) {
    for (const [, line] of source.matchAll(/(?:^|\n)\t[-@+]*([^\n]*)|\$\(shell ([^)]*)\)|(?:^|\n)[^\n:=]+:[^\n;=]*;\s*([^\n]*)/g)) runLine((line ?? '').replaceAll('$$', '$'), call.frame, machine);
    for (const [, line] of source.matchAll(/\$\(shell ((?:[^()]|\([^()]*\))*)\)/g)) runLine(line ?? '', call.frame, machine);
    for (const [, line] of source.matchAll(/(?:^|\n)[^\n:=\t]+:[^\n;=]*;\s*([^\n]*)/g)) runLine(line ?? '', call.frame, machine);
  }
  for (const { text } of scanned.operands) {
    const [, line] = /^\w+[:+?!]*=.*\$\(shell ((?:[^()]|\([^()]*\))*)\)/s.exec(text) ?? [];
    if (line !== undefined) runLine(line, call.frame, machine);
    const [, shell] = /^SHELL[:+?!]*=(.*)$/s.exec(text) ?? [];
    if (shell !== undefined) machine.runExternal(machine.wordsOf(shell, call.frame), call.frame);
  }
  return anything;
};
