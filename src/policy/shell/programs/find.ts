import { plainWords } from '../flow.ts';
import type { Field, ProgramHandler } from '../machine.ts';

/** `find … -exec git push {} ;`: what it runs on the files that it finds. */
export const find: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const { args } = call;
  const roots = startingPoints(args);
  for (let at = 0; at < args.length; at += 1) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(args[at]?.text ?? '')) continue;
    const end = args.findIndex((word, index) => index > at && (word.text === ';' || (word.text === '+' && args[index - 1]?.text === '{}')));
    const command = args.slice(at + 1, end < 0 ? args.length : end);
    at = end < 0 ? args.length : end;
    for (const root of roots.slice(0, rootsMax)) {
      const found = machine.marks.add('{}', 'glob');
      const path = root.text === '/' ? `/${found}` : `${root.text}/${found}`;
      machine.runExternal(command.map((word) => (word.text.includes('{}') ? { text: word.text.replaceAll('{}', path), plural: word.text === '{}' && args[end]?.text === '+' } : word)), call.frame);
    }
  }
  return plainWords;
};

const rootsMax = 64;

/** `fd -x git push`: the command stands behind the option, to the end. */
export const fd: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const at = call.args.findIndex((word) => /^(-x|-X|--exec|--exec-batch)$/.test(word.text));
  const end = call.args.findIndex((word, index) => index > at && word.text === ';');
  const command = at < 0 ? [] : call.args.slice(at + 1, end < 0 ? call.args.length : end);
  const found = { text: machine.marks.add('{}', 'glob'), plural: true };
  const filled = command.map((word) => (/\{[./]*\}/.test(word.text) ? { text: word.text.replace(/\{[./]*\}/g, found.text), plural: true } : word));
  machine.runExternal(command.length > 0 && filled.every((word, index) => word === command[index]) ? [...command, found] : filled, call.frame);
  return plainWords;
};

/** The paths before the first expression; the working directory where there are none. */
function startingPoints(args: readonly Field[]): readonly Field[] {
  const from = args.findIndex((word, index) => !/^-(H|L|P|D|O\d?)$/.test(word.text) && args[index - 1]?.text !== '-D');
  const to = args.findIndex((word, index) => index >= from && /^[-(!]/.test(word.text));
  const roots = from < 0 ? [] : args.slice(from, to < 0 ? args.length : to);
  return roots.length > 0 ? roots : [{ text: '.', plural: false }];
}
