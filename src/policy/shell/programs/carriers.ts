import { anything } from '../flow.ts';
import { field, type ProgramHandler } from '../machine.ts';
import { options, scanOptions, valuesOf } from './options.ts';
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

const runHooks = found(/^--?checkpoint-action=exec=(.*)$/g, /^--(?:to-command|use-compress-program|rsh-command|info-script|new-volume-script|rmt-command)=(.*)$/g);
const runOptions = lines('-I --use-compress-program --to-command --rsh-command --info-script -F --new-volume-script', '-f --file -C --directory -T --files-from -X --exclude-from');

const tar: ProgramHandler = (call, machine) => {
  runOptions(call, machine);
  for (const { text } of call.args) if (/^checkpoint-action=exec=|^exec=/.test(text)) runLine(text.replace(/^.*?exec=/, ''), call.frame, machine);
  return runHooks(call, machine);
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

const placesMax = 60;

/** Runs its operands, but options of its own may stand between. */
const anywhere: ProgramHandler = (call, machine) => {
  machine.emit(call);
  if (call.args.length > placesMax) machine.unknown('it has too many arguments to be followed', call.path);
  for (let at = 0; at < Math.min(call.args.length, placesMax); at += 1) {
    if (!/^[-+:]|^\d|^\.*\/*$/.test(call.args[at]?.text ?? '-')) machine.quietly(() => {
      const supposed = { ...call.frame, isSupposed: true };
      const text = call.args[at]?.text ?? '';
      if (/\s/.test(text)) runLine(text, supposed, machine);
      else machine.runExternal(call.args.slice(at), supposed);
    });
  }
  return anything;
};

/** PowerShell and cmd.exe: plain commands are the same there; what is not is broken syntax here. */
const powershell: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const texts = call.args.map((word) => word.text);
  if (texts.some((text) => /^[-/]e(nc|c|ncodedcommand)?$/i.test(text)) && call.program !== 'cmd') {
    machine.unknown('it runs an encoded command', call.path);
    return anything;
  }
  if (texts.some((text) => /^[-/](f|file)$/i.test(text))) return anything;
  const isCmd = call.program === 'cmd';
  const line = texts.filter((text) => !(isCmd ? /^\/\/?[a-z]$/i : /^[-/](c|command|noprofile|nop|noninteractive|nologo|noexit|sta|mta|login)$/i).test(text)).join(' ');
  return runLine(isCmd ? line.replaceAll('^', '') : line, call.frame, machine);
};

const copyOptions = lines('-S');
const copyProxies = found(/^-?o?\s*(?:ProxyCommand|LocalCommand)[\s=]+(.*)$/gi);

const remoteCopy: ProgramHandler = (call, machine) => {
  copyOptions(call, machine);
  return copyProxies(call, machine);
};

/** `cmake -E env git push`, `cmake -E chdir dir git push`. */
const cmake: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const [flag, tool, ...args] = call.args;
  if (flag?.text !== '-E' || !tool) return anything;
  const [directory, ...rest] = args;
  if (tool.text === 'chdir' && directory) machine.emitChange(directory, call.frame);
  if (tool.text === 'chdir') return machine.runExternal(rest, call.frame);
  return /^(env|time)$/.test(tool.text) ? machine.runExternal([field('env'), ...args.filter((word) => !word.text.startsWith('--unset'))], call.frame) : anything;
};

const shellEscape = /^(?:\s*[.\\:]?(?:shell|system|!)|\\!|!)\s*(.+)$/gm;

export const carriers: ReadonlyMap<string, ProgramHandler> = new Map([
  ...['hyperfine', 'concurrently', 'pee', 'dvtm'].map((name): [string, ProgramHandler] => [name, each]),
  ...['ts', 'pueue', 'sem', 'entr', 'watchexec', 'reflex'].map((name): [string, ProgramHandler] => [name, anywhere]),
  ...['bwrap', 'bubblewrap', 'rr', 'heaptrack', 'sandbox-exec', 'setarch', 'dtach', 'abduco', 'daemon', 'pm2', 'launchctl', 'start-process', 'onchange', 'chokidar', 'forever', 'systemd-nspawn', 'qemu-x86_64', 'wine', 'scl', 'sshpass', 'parallel-ssh', 'pssh', 'pdsh', 'clush', 'wsl'].map((name): [string, ProgramHandler] => [name, anywhere]),
  ...['powershell', 'pwsh', 'cmd'].map((name): [string, ProgramHandler] => [name, powershell]),
  ['newgrp', lines('-c')],
  ...['tar', 'gtar', 'bsdtar'].map((name): [string, ProgramHandler] => [name, tar]),
  ['rsync', lines('-e --rsh --rsync-path')],
  ...['scp', 'sftp'].map((name): [string, ProgramHandler] => [name, remoteCopy]),
  ['split', lines('--filter')],
  ['zip', lines('-TT --unzip-command')],
  ['man', lines('-P --pager -H --html')],
  ...['rg', 'ag', 'ack', 'bat', 'delta'].map((name): [string, ProgramHandler] => [name, lines('--pre --pager')]),
  ['asciinema', lines('-c --command')],
  ['lftp', found(/!\s*(.*)$/gm)],
  ['mvn', found(/^-Dexec\.executable=(.*)$/g)],
  ['cmake', cmake],
  ['fzf', found(/^((?![-+]).*\s.*)$/g, /^--preview=(.*)$/g, /(?:execute|execute-silent|become|reload)\(([^)]*)\)/g)],
  ['less', found(/^\+!(.*)$/g)],
  ['more', found(/^\+!(.*)$/g)],
  ['ed', found(/^!(.*)$/gm)],
  ['red', found(/^!(.*)$/gm)],
  ['dc', found(/!(.*)$/gm)],
  ['ftp', found(/^!(.*)$/gm)],
  ...['sqlite3', 'psql', 'mysql', 'mariadb', 'mongo', 'mongosh', 'redis-cli', 'duckdb'].map((name): [string, ProgramHandler] => [name, found(shellEscape)]),
  ['ghci', found(/^:!\s*(.*)$/gm)],
  ['socat', found(/(?:EXEC|SYSTEM|SHELL):"?([^",]*)/gi)],
  ...['nc', 'ncat', 'netcat'].map((name): [string, ProgramHandler] => [name, lines('-e --exec -c --sh-exec', '-p -w -s -i -q')]),
  ['nodemon', lines('-x --exec', '-w --watch -e --ext -i --ignore')],
  ['apt', found(/(?:Pre|Post)-Invoke(?:-Success)?(?:::)?=(.*)$/g)],
  ['apt-get', found(/(?:Pre|Post)-Invoke(?:-Success)?(?:::)?=(.*)$/g)],
]);
