import { anything } from '../flow.ts';
import { field, type Call, type Field, type Machine, type ProgramHandler } from '../machine.ts';
import { options, scanOptions, valuesOf } from './options.ts';
import { runInput } from './shells.ts';
import { runLine } from './wrappers.ts';

/** Programs that do something else, and run commands that their options or scripts hold. */

/** Options whose value is a command line. */
function lines(lineOptions: string, valued = ''): ProgramHandler {
  const spec = options(`${lineOptions} ${valued}`, { permutes: true });
  return (call, machine) => {
    machine.emit(call);
    for (const { text } of valuesOf(scanOptions(call.args, spec), lineOptions)) runLine(text, call.frame, machine);
    return anything;
  };
}

/** A pattern whose first group is a command line, looked for in each argument and in the input. */
function found(...patterns: readonly RegExp[]): ProgramHandler {
  return (call, machine) => {
    machine.emit(call);
    const texts = call.args.map((word) => word.text);
    if (call.frame.input.text !== null) texts.push(call.frame.input.text);
    for (const text of texts) for (const pattern of patterns) for (const [, line] of text.slice(0, textCharsMax).matchAll(pattern)) if (line !== undefined) runLine(line, call.frame, machine);
    return anything;
  };
}

const textCharsMax = 65_536;

/** vim and its kin: commands behind `-c`, `--cmd` and `+`. */
const vim: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, options('-c --cmd -S -s -u -i -T -W', { permutes: true }));
  const commands = [...valuesOf(scanned, '-c --cmd'), ...scanned.operands.filter((word) => word.text.startsWith('+')).map((word) => field(word.text.slice(1)))];
  if (call.program === 'ex' || call.args.some((word) => word.text === '-es' || word.text === '-e')) commands.push(...(call.frame.input.text ?? '').split('\n').map(field));
  for (const { text } of commands) {
    for (const [, line] of text.matchAll(/(?:^|\|)\s*:*(?:silent!?\s+)?(?:%|\d+,\d+|r\s+|read\s+|w\s+|write\s+|term(?:inal)?\s+)*!([^|\n]*)/g)) runLine(line ?? '', call.frame, machine);
    for (const [, line] of text.matchAll(/(?:system(?:list)?|execute|jobstart|termopen|os\.execute|io\.popen)\s*\(?\s*["']!?([^"'\n]*)["']/g)) runLine(line ?? '', call.frame, machine);
    for (const [, line] of text.matchAll(/\bterm(?:inal)?\s+([^|!\n]+)/g)) runLine(line ?? '', call.frame, machine);
  }
  return anything;
};

/** `tmux new-session -d 'git push'`, `tmux send-keys 'git push' Enter`. */
const tmux: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const at = call.args.findIndex((word) => /^(new|new-session|new-window|neww|split-window|splitw|respawn-pane|respawn-window|run|run-shell|display-popup|popup|if-shell|if|pipe-pane|send|send-keys|set-hook|bind|bind-key)$/.test(word.text));
  if (at < 0) return anything;
  const scanned = scanOptions(call.args.slice(at + 1), options('-s -n -c -t -x -y -F -e -l -p -N -b -d-x -w -h -T -X'));
  for (const directory of valuesOf(scanned, '-c')) if (!/^(send|run|if|pipe|bind|set)/.test(call.args[at]?.text ?? '')) machine.emitChange(directory, call.frame);
  runWords(scanned.operands.filter((word) => !/^(Enter|C-m|KPEnter)$/.test(word.text)), call, machine);
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

/** `at now`, `batch` and `crontab -` read commands. */
const later: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const { input } = call.frame;
  if (call.program === 'crontab') {
    for (const line of (input.text ?? '').split('\n')) runLine(line.replace(/^\s*(@\w+|(\S+\s+){5})/, ''), call.frame, machine);
    return anything;
  }
  if (input.text !== '') runInput(call, machine);
  return anything;
};

/** Each operand is a command line: `hyperfine 'git push'`, `concurrently 'git push'`. */
const each: ProgramHandler = (call, machine) => {
  machine.emit(call);
  for (const { text } of scanOptions(call.args, options('-w --warmup -r --runs -p --prepare -c --cleanup -s --setup -n --names --style --export-json --prefix -m --min-runs', { permutes: true })).operands) {
    if (text.includes(' ')) runLine(text, call.frame, machine);
    else machine.runExternal([field(text)], call.frame);
  }
  return anything;
};

/** Runs its operands, but options of its own may stand between. */
const anywhere: ProgramHandler = (call, machine) => {
  machine.emit(call);
  for (let at = 0; at < Math.min(call.args.length, 40); at += 1) {
    if (!/^[-+:./]|^\d/.test(call.args[at]?.text ?? '-')) machine.quietly(() => machine.runExternal(call.args.slice(at), { ...call.frame, isSupposed: true }));
  }
  return anything;
};

const make: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, options('-f --file --makefile -j-x -I --include-dir -o --old-file -W --what-if --eval -E -C --directory', { permutes: true }));
  for (const directory of valuesOf(scanned, '-C --directory')) machine.emitChange(directory, call.frame);
  machine.emit(call);
  const sources = valuesOf(scanned, '--eval -E').map((word) => word.text);
  for (const file of valuesOf(scanned, '-f --file --makefile')) {
    const written = file.text === '-' ? call.frame.input : call.frame.scope.files.get(file.text);
    if (written?.text === null) machine.unknown('it runs a file that is not known', file.text);
    else if (written) sources.push(written.text);
  }
  if (valuesOf(scanned, '-f --file --makefile').length === 0) sources.push(call.frame.scope.files.get('Makefile')?.text ?? call.frame.scope.files.get('makefile')?.text ?? '');
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

/** GNU sed runs commands: `1e git push`, `s/x/git push/e`. */
const sed: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, options('-e --expression -f --file -l --line-length', { permutes: true }));
  const given = valuesOf(scanned, '-e --expression');
  for (const { text } of given.length > 0 ? given : scanned.operands.slice(0, 1)) {
    for (const [, line] of text.matchAll(/(?:^|[;{\n])\s*(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$))?\s*e\s+([^\n]*)/g)) runLine(line ?? '', call.frame, machine);
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

/** Copies and links of programs run as what they are. */
const copy: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const { operands } = scanOptions(call.args, options('-t -S -m -o -g --target-directory --suffix --mode', { permutes: true }));
  const [from, to] = operands;
  if (!from || !to || operands.length > 2) return anything;
  const { files, aliases } = call.frame.scope;
  const written = files.get(from.text);
  if (written) files.set(to.text, written);
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
    for (const { text } of valuesOf(scanned, outputs)) if (text !== '-' && text !== '/dev/null') for (const path of [text, `./${text}`]) call.frame.scope.files.set(path, anything);
    const named = scanned.options.some(({ name }) => name === '-O' && outputs.includes('-o')) || !outputs.includes('-o ');
    for (const { text } of named ? scanned.operands : []) {
      const name = text.slice(text.lastIndexOf('/') + 1).replace(/[?#].*$/, '');
      if (name !== '') for (const path of [name, `./${name}`]) call.frame.scope.files.set(path, anything);
    }
    return anything;
  };
}

const powershell: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const at = call.args.findIndex((word) => /^[-/](c|command|ec|encodedcommand|enc|e)$/i.test(word.text));
  const words = call.program === 'cmd' ? call.args.filter((word) => !/^\/\/?[a-z]$/i.test(word.text)) : call.args.slice(at + 1);
  if (at < 0 && call.program !== 'cmd') return anything;
  if (/^[-/]e/i.test(call.args[at]?.text ?? '') && call.program !== 'cmd') machine.unknown('it runs an encoded command', call.path);
  else runWords(words, call, machine);
  return anything;
};

const shellEscape = /^(?:\s*[.\\:]?(?:shell|system|!)|\\!|!)\s*(.+)$/gm;

export const carriers: ReadonlyMap<string, ProgramHandler> = new Map([
  ...['vim', 'vi', 'nvim', 'view', 'ex', 'gvim', 'vimdiff', 'rvim'].map((name): [string, ProgramHandler] => [name, vim]),
  ['tmux', tmux],
  ['screen', screen],
  ...['at', 'batch', 'crontab'].map((name): [string, ProgramHandler] => [name, later]),
  ...['hyperfine', 'concurrently', 'npm-run-all-x', 'ts', 'pueue', 'sem', 'entr', 'watchexec', 'reflex', 'inotifywait-x'].map((name): [string, ProgramHandler] => [name, name === 'hyperfine' || name === 'concurrently' ? each : anywhere]),
  ...['bwrap', 'bubblewrap', 'gdb', 'lldb', 'rr', 'heaptrack', 'start-stop-daemon', 'capsh', 'sandbox-exec', 'systemd-nspawn', 'qemu-x86_64', 'wine', 'scl', 'sshpass', 'parallel-ssh', 'pssh', 'wsl', 'script-run'].map((name): [string, ProgramHandler] => [name, anywhere]),
  ...['make', 'gmake', 'bmake', 'ninja'].map((name): [string, ProgramHandler] => [name, make]),
  ...['sed', 'gsed'].map((name): [string, ProgramHandler] => [name, sed]),
  ['osascript', osascript],
  ...['tclsh', 'expect', 'wish', 'jimsh'].map((name): [string, ProgramHandler] => [name, tcl]),
  ...['cp', 'ln', 'mv', 'install'].map((name): [string, ProgramHandler] => [name, copy]),
  ['curl', fetcher('-o --output')],
  ['wget', fetcher('-O --output-document')],
  ...['powershell', 'pwsh', 'cmd'].map((name): [string, ProgramHandler] => [name, powershell]),
  ['su', lines('-c --command --session-command', '-s --shell -g --group -G -w')],
  ['script', lines('-c --command', '-t -T -I -O -B -E -m -o')],
  ['sg', lines('-c')],
  ['newgrp', lines('-c')],
  ['tar', found(/^--checkpoint-action=exec=(.*)$/g, /^--(?:to-command|use-compress-program|rsh-command|info-script|new-volume-script|rmt-command)=(.*)$/g)],
  ['gtar', found(/^--checkpoint-action=exec=(.*)$/g, /^--(?:to-command|use-compress-program|rsh-command|info-script)=(.*)$/g)],
  ['rsync', lines('-e --rsh --rsync-path')],
  ['scp', lines('-S')],
  ['sftp', lines('-S')],
  ['split', lines('--filter')],
  ['sort-x', lines('--compress-program')],
  ['zip', lines('-TT --unzip-command')],
  ['man', lines('-P --pager -H --html')],
  ['rg', lines('--pre')],
  ['fzf', found(/^--preview=(.*)$/g, /(?:execute|execute-silent|become|reload)\(([^)]*)\)/g)],
  ['less', found(/^\+!(.*)$/g)],
  ['more', found(/^\+!(.*)$/g)],
  ['ed', found(/^!(.*)$/gm)],
  ['red', found(/^!(.*)$/gm)],
  ['dc', found(/!(.*)$/gm)],
  ['ftp', found(/^!(.*)$/gm)],
  ...['sqlite3', 'psql', 'mysql', 'mariadb', 'mongo', 'mongosh', 'redis-cli', 'duckdb'].map((name): [string, ProgramHandler] => [name, found(shellEscape)]),
  ['socat', found(/(?:EXEC|SYSTEM|SHELL):"?([^",]*)/gi)],
  ...['nc', 'ncat', 'netcat'].map((name): [string, ProgramHandler] => [name, lines('-e --exec -c --sh-exec', '-p -w -s -i -q')]),
  ['nodemon', lines('-x --exec', '-w --watch -e --ext -i --ignore')],
  ['cmake', found(/^$/g)],
  ['apt', found(/(?:Pre|Post)-Invoke(?:-Success)?(?:::)?=(.*)$/g)],
  ['apt-get', found(/(?:Pre|Post)-Invoke(?:-Success)?(?:::)?=(.*)$/g)],
]);

export const suOrUser: ProgramHandler = (call, machine) => {
  const scanned = scanOptions(call.args, options('-c --command --session-command -s --shell -g --group -G --supp-group -w --whitelist-environment -u --user', { permutes: true }));
  const commands = valuesOf(scanned, '-c --command --session-command');
  for (const { text } of commands) runLine(text, call.frame, machine);
  if (commands.length > 0) return anything;
  machine.emit(call);
  // `runuser -u dev -- git push`; the input of `su` is read by a shell.
  if (scanned.before !== null) return machine.runExternal(scanned.operands.slice(scanned.before), call.frame);
  return call.frame.input.text === '' ? anything : runInput(call, machine);
};
