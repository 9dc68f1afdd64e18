import { anything } from '../flow.ts';
import type { ProgramHandler } from '../machine.ts';
import { options, scanOptions, valuesOf } from './options.ts';

/** Programs that make files which may be run later in the line. */

/** Copies and links of programs run as what they are. */
const copy: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const { operands } = scanOptions(call.args, options('-t -S -m -o -g --target-directory --suffix --mode', { permutes: true }));
  const [from, to] = operands;
  if (!from || !to || operands.length > 2) return anything;
  const { scope } = call.frame;
  const { aliases } = scope;
  const written = scope.written(from.text);
  if (written) scope.write(to.text, written);
  const program = from.text.slice(from.text.lastIndexOf('/') + 1);
  if (/(^|\/)s?bin\//.test(from.text) && !/[\s'"$\\]/.test(from.text)) {
    for (const path of [to.text, `./${to.text}`, to.text.endsWith('/') ? to.text + program : `${to.text}/${program}`]) if (path.includes('/')) aliases.set(path, [from.text]);
  }
  return anything;
};

/** A file that is fetched is not known. */
function fetcher(outputs: string): ProgramHandler {
  return (call, machine) => {
    machine.emit(call);
    const scanned = scanOptions(call.args, options(`${outputs} -H --header -X --request -d --data -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -T --upload-file -F --form -x --proxy -m --max-time -w --write-out -P --directory-prefix --retry`, { permutes: true }));
    for (const { text } of valuesOf(scanned, outputs)) if (text !== '-' && text !== '/dev/null') call.frame.scope.write(text, anything);
    const named = scanned.options.some(({ name }) => name === '-O' && outputs.includes('-o')) || !outputs.includes('-o ');
    for (const { text } of named ? scanned.operands : []) {
      const name = text.slice(text.lastIndexOf('/') + 1).replace(/[?#].*$/, '');
      if (name !== '') call.frame.scope.write(name, anything);
    }
    return anything;
  };
}

/** What is read from a pipe is not known. */
const pipe: ProgramHandler = (call, machine) => {
  machine.emit(call);
  for (const { text } of scanOptions(call.args, options('-m --mode -Z')).operands) call.frame.scope.write(text, anything);
  return anything;
};

export const fileMakers: ReadonlyMap<string, ProgramHandler> = new Map([
  ...['cp', 'ln', 'mv', 'install'].map((name): [string, ProgramHandler] => [name, copy]),
  ['mkfifo', pipe],
  ['mknod', pipe],
  ['curl', fetcher('-o --output')],
  ['wget', fetcher('-O --output-document')],
]);
