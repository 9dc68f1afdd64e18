import { anything, plainWords, silence, type Flow } from './flow.ts';
import { field, type Call, type Field, type Frame } from './machine.ts';
import { isKnown } from './marks.ts';
import { builtins, programs } from './programs/index.ts';
import { runUnlisted } from './programs/unlisted.ts';
import { mightBe } from './word.ts';
import { quoteFields } from './quote.ts';
import type { ShellFunction } from './scope.ts';
import type { Walker } from './walker.ts';

/** Follows a command whose words are expanded: alias, function, builtin or program, as the shell would look it up. */
export function dispatch(fields: readonly Field[], frame: Frame, walker: Walker): Flow {
  const [first, ...args] = fields;
  if (!first) return silence;
  if (!walker.step() || !walker.mayVisit(args.length)) return anything;
  if (!isKnown(first.text) || /^[!^]|\//.test(first.text)) return dispatchExternal(fields, frame, walker);
  const aliased = runAliases(first.text, args, { frame, walker });
  const definitions = frame.scope.functions.get(first.text);
  if (definitions) {
    const printed = callFunction(definitions, { name: first.text, args }, { frame, walker });
    if (!definitions.includes(null) && !isSpecial(first.text)) return printed;
  }
  const printed = runProgram({ ...nameOf(first.text), args, frame }, walker);
  return aliased ? anything : printed;
}

/** The same without functions, and without aliases but those that are paths: copies of programs. */
export function dispatchExternal(fields: readonly Field[], frame: Frame, walker: Walker): Flow {
  const [first, ...args] = fields;
  if (!first) return silence;
  if (!walker.step() || !walker.mayVisit(args.length)) return anything;
  if (!isKnown(first.text)) return runUnknown(first, args, { frame, walker });
  if (/^(!.|\^.)/.test(first.text)) noteHistory(first.text, walker);
  const aliased = first.text.includes('/') && runAliases(first.text, args, { frame, walker });
  const printed = runProgram({ ...nameOf(first.text), args, frame }, walker);
  return aliased ? anything : printed;
}

interface Place {
  readonly frame: Frame;
  readonly walker: Walker;
}

/** A builtin or an external program, by its name. */
function runProgram(named: Call, walker: Walker): Flow {
  const call = named.program.startsWith('git-') ? { ...named, program: 'git', args: [field(named.program.slice(4)), ...named.args] } : named;
  const handler = (call.path.includes('/') ? undefined : builtins.get(call.program)) ?? programs.get(call.program) ?? programs.get(unversioned(call.program));
  if (handler) return handler(call, walker);
  const script = call.path.includes('/') ? call.frame.scope.written(call.path) : undefined;
  walker.emit(call);
  if (script) runWritten(script, call, walker);
  else runUnlisted(call, walker);
  return plainPrinters.has(call.program) ? plainWords : anything;
}

/** `python3.11` is Python; a program like `ld-linux-x86-64.so.2` runs another. */
function unversioned(program: string): string {
  if (/^ld-[\w.-]*\.so(\.\d+)?$/.test(program)) return 'ld.so';
  return program.replace(/-?\d+(\.\d+)*$/, '');
}

/** A file that the line has written, run by its name. */
function runWritten({ text }: Flow, { path, args, frame }: Call, walker: Walker): void {
  if (text === null) return walker.unknown('it runs a file that the line itself makes', path);
  const [, interpreter] = /^#!\s*(\S[^\n]*)/.exec(text) ?? [];
  const scope = frame.scope.child();
  if (interpreter === undefined) {
    scope.positional = args.map((arg) => arg.text);
    walker.runText(text, { ...frame, scope, depth: frame.depth + 1 });
  } else walker.runWords([...interpreter.trim().split(/\s+/).map(field), field(path), ...args], { ...frame, scope, depth: frame.depth + 1 });
}

/** The program as programs are known, from how it is called. */
function nameOf(path: string): Pick<Call, 'program' | 'path'> {
  // zsh: `=git` is the path of git.
  const called = /^=[\w.-]+$/.test(path) ? path.slice(1) : path;
  const base = called.slice(called.lastIndexOf('/') + 1).toLowerCase();
  const windows = base.slice(base.lastIndexOf('\\') + 1);
  return { program: windows.replace(/\.(exe|cmd|bat|com)$/, ''), path: called };
}

function runUnknown(first: Field, args: readonly Field[], { frame, walker }: Place): Flow {
  const { marks } = walker;
  const { text, plural } = first;
  const base = text.slice(text.lastIndexOf('/') + 1);
  // What stands before the last slash does not matter: `$JAVA_HOME/bin/java`.
  if (isKnown(base) && base !== '') return runProgram({ ...nameOf(base), path: marks.show(text), args, frame }, walker);
  const word = marks.word(base, plural);
  const source = marks.show([text, ...args.map((arg) => arg.text)].join(' '));
  if (!plural || marks.areAll(text, 'glob')) {
    const words = args.map((arg) => marks.word(arg.text, arg.plural));
    walker.unknown('its program is not known', source, { words, mentions: (name) => mightBe(word, name) });
    // It may be one that runs what stands behind it.
    const supposed = { ...frame, isSupposed: true, depth: frame.depth + 1 };
    walker.quietly(() => {
      for (const name of runners) if (mightBe(word, name)) runProgram({ program: name, path: name, args, frame: supposed }, walker);
    });
    return anything;
  }
  const [start = ''] = word.known;
  walker.unknown('its program is not known', source, { words: null, mentions: (name) => name.startsWith(start.toLowerCase()) });
  // It may be nothing, or a program that runs another.
  dispatchExternal(args, { ...frame, isSupposed: true }, walker);
  return anything;
}

const runners = ['sh', 'env', 'eval', 'python', 'xargs', 'ssh'];

/** At a prompt `!git` runs the last such command again. */
function noteHistory(text: string, walker: Walker): void {
  const start = /^![a-z]/i.test(text) ? text.slice(1).toLowerCase() : '';
  walker.unknown('it repeats an earlier command', text, { mentions: (name) => start.startsWith(name) || name.startsWith(start) });
}

/** Whether aliases are on is not known, so both ways are followed. */
function runAliases(name: string, args: readonly Field[], { frame, walker }: Place): boolean {
  const texts = frame.scope.aliases.get(name);
  if (!texts) return false;
  for (const text of texts) {
    const scope = frame.scope.fork();
    scope.aliases.delete(name);
    const [next] = args;
    const spread = /\s$/.test(text) && next ? (scope.aliases.get(next.text)?.[0] ?? null) : null;
    const rest = spread === null ? quoteFields(args) : `${spread} ${quoteFields(args.slice(1))}`;
    walker.runText(`${text} ${rest}`, { ...frame, scope, depth: frame.depth + 1 });
  }
  return true;
}

function callFunction(definitions: readonly (ShellFunction | null)[], { name, args }: { name: string; args: readonly Field[] }, { frame, walker }: Place): Flow {
  const { scope } = frame;
  const { positional, locals } = scope;
  let printed: Flow | null = null;
  for (const definition of definitions) {
    if (!definition) continue;
    scope.positional = args.some((arg) => arg.plural) ? null : args.map((arg) => arg.text);
    scope.locals = new Map();
    const flow = walker.callBody(definition.body, { ...frame, depth: frame.depth + 1 }, name);
    printed = printed === null ? flow : anything;
    for (const [local, before] of scope.locals) {
      if (before) scope.variables.set(local, before);
      else scope.variables.delete(local);
    }
    scope.positional = positional;
    scope.locals = locals;
  }
  return printed ?? silence;
}

/** In POSIX mode these are found before functions. */
function isSpecial(name: string): boolean {
  return ['eval', 'exec', '.', 'source', 'trap'].includes(name);
}

/** What they print is plain words, without the syntax of a shell. */
const plainPrinters = new Set([
  ...['date', 'pwd', 'whoami', 'hostname', 'nproc', 'basename', 'dirname', 'id', 'uname', 'mktemp', 'wc', 'realpath', 'readlink', 'stat', 'du', 'df'],
  ...['arch', 'getconf', 'tty', 'uuidgen', 'sha256sum', 'md5sum', 'sha1sum', 'shasum', 'cksum', 'getent', 'logname', 'groups', 'lsb_release', 'sysctl'],
  ...['pgrep', 'pidof', 'ls', 'find', 'git', 'nvidia-smi', 'ps', 'lsof', 'ip', 'sw_vers', 'tput', 'jot', 'shuf', 'sleep', 'test', '[', 'cd', 'mkdir', 'touch'],
]);
