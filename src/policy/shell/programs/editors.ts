import { anything } from '../flow.ts';
import { field, type ProgramHandler } from '../machine.ts';
import { options, scanOptions, valuesOf } from './options.ts';
import { runInput } from './shells.ts';
import { runLine } from './wrappers.ts';

/** Editors, debuggers and small languages whose own commands run others. */

/** vim and its kin: commands behind `-c`, `--cmd` and `+`. */
const vim: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, options('-c --cmd -S -u -i -T -W', { permutes: true }));
  const commands = [...valuesOf(scanned, '-c --cmd'), ...scanned.operands.filter((word) => word.text.startsWith('+')).map((word) => field(word.text.slice(1)))];
  if (call.program === 'ex' || call.args.some((word) => word.text === '-es' || word.text === '-e')) commands.push(...(call.frame.input.text ?? '').split('\n').map(field));
  for (const { text } of commands) {
    for (const [, line] of text.matchAll(/(?:^|\|)\s*:*(?:silent!?\s+)?(?:%|\d+,\d+|r\s+|read\s+|w\s+|write\s+|term(?:inal)?\s+)*!([^|\n]*)/g)) runLine(line ?? '', call.frame, machine);
    for (const [, line] of text.matchAll(/(?:system(?:list)?|execute|jobstart|termopen|os\.execute|io\.popen)\s*\(?\s*["']!?([^"'\n]*)["']/g)) runLine(line ?? '', call.frame, machine);
    for (const [, line] of text.matchAll(/\bterm(?:inal)?\s+([^|!\n]+)/g)) runLine(line ?? '', call.frame, machine);
  }
  return anything;
};

/** gdb and lldb: commands behind `-ex` and `-o`, and the program behind `--args`. */
const debug: ProgramHandler = (call, machine) => {
  machine.emit(call);
  for (const { text } of valuesOf(scanOptions(call.args, options('-ex -iex -eval-command --eval-command -o -O -k -x -p')), '-ex -iex -eval-command --eval-command -o -O')) {
    const [, line] = /^\s*(?:shell|!|platform\s+shell|pipe\s+[^|]*\|)\s*(.*)$/s.exec(text) ?? [];
    if (line !== undefined) runLine(line, call.frame, machine);
    if (/^\s*(python|script|py)\b/.test(text)) machine.runExternal([field('python'), field('-c'), field(text.replace(/^\s*\w+\s*/, ''))], call.frame);
  }
  const at = call.args.findIndex((word) => /^--?args$|^--$/.test(word.text));
  return at < 0 ? anything : machine.runExternal(call.args.slice(at + 1), call.frame);
};

/** GNU sed runs commands: `1e git push`, `s/x/git push/e`. */
const sed: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, options('-e --expression -f --file -l --line-length', { permutes: true }));
  const given = valuesOf(scanned, '-e --expression');
  for (const { text } of given.length > 0 ? given : scanned.operands.slice(0, 1)) {
    for (const [, line] of text.matchAll(/(?:^|[;{\n])\s*(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$))?\s*e\s+([^\n]*)/g)) runLine(line ?? '', call.frame, machine);
    if (/(?:^|[;{\n])\s*(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$))?\s*e\s*(?=$|[;}\n])/.test(text)) runInput(call, machine);
    const [, line, flags] = /^\s*(?:\d+|\$)?s([^\w\s])(?:[^\\]|\\.)*?\1((?:[^\\]|\\.)*?)\1\w*$/s.exec(text) ? (/^\s*(?:\d+|\$)?s([^\w\s]).*?\1(.*?)\1(\w*)$/s.exec(text) ?? []).slice(1) : [];
    if (flags?.includes('e') && line !== undefined) runLine(line, call.frame, machine);
  }
  return anything;
};

const osascript: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scripts = valuesOf(scanOptions(call.args, options('-e -l -s')), '-e').map((word) => word.text);
  if (call.frame.input.text) scripts.push(call.frame.input.text);
  for (const script of scripts) {
    const calls = [...script.matchAll(/do(?:\s+shell\s+script|\s+script|ShellScript\s*\()\s*"((?:[^"\\]|\\.)*)"/gi)];
    for (const [, line = ''] of calls) runLine(line.replace(/\\(.)/g, '$1'), call.frame, machine);
    const all = script.match(/do\s+(shell\s+)?script|doShellScript|\bsystem\(|keystroke/gi) ?? [];
    if (all.length > calls.length) machine.unknown('it runs a program that can run commands', machine.marks.show(script));
  }
  return anything;
};

/** Tcl and expect: words behind `exec`, `spawn`, `system`; what is sent is typed into a shell. */
const tcl: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scripts = valuesOf(scanOptions(call.args, options('-c -f -b')), '-c').map((word) => word.text);
  if (call.frame.input.text) scripts.push(call.frame.input.text);
  for (const script of scripts) {
    for (const [, line] of script.slice(0, textCharsMax).matchAll(/(?:^|[\s;[{])(?:exec|spawn|system|send)\s+(?:--\s+|-noecho\s+|-ignore\w+\s+)*([^\n;\]}]*)/g)) {
      const text = (line ?? '').replace(/^["{](.*?)["}]?$/s, '$1').replace(/\\r|\\n/g, '\n');
      runLine(text, call.frame, machine);
    }
    for (const [, line] of script.matchAll(/open\s+["{]\|([^"}]*)/g)) runLine(line ?? '', call.frame, machine);
  }
  return anything;
};

const textCharsMax = 65_536;

export const editors: ReadonlyMap<string, ProgramHandler> = new Map([
  ...['vim', 'vi', 'nvim', 'view', 'ex', 'gvim', 'vimdiff', 'rvim'].map((name): [string, ProgramHandler] => [name, vim]),
  ...['gdb', 'lldb'].map((name): [string, ProgramHandler] => [name, debug]),
  ...['sed', 'gsed'].map((name): [string, ProgramHandler] => [name, sed]),
  ...['tclsh', 'expect', 'wish', 'jimsh'].map((name): [string, ProgramHandler] => [name, tcl]),
  ['osascript', osascript],
]);
