import { anything, silence } from '../flow.ts';
import { languages, type LanguageName } from '../foreign/language.ts';
import { readCode, type Effect } from '../foreign/read-code.ts';
import { field, type Call, type Field, type Machine, type ProgramHandler } from '../machine.ts';
import { isKnown } from '../marks.ts';
import { isStandardInput } from '../redirects.ts';
import { hasOption, options, scanOptions, valuesOf } from './options.ts';
import { runLine } from './wrappers.ts';

/** A program of another language: given on the command line, in a file that the line writes, or on the standard input. */
interface InterpreterSpec {
  readonly language: LanguageName;
  /** Options whose value is a program. */
  readonly code: string;
  /** Other options that take a value. */
  readonly valued?: string;
  /** Options that may have a value, which then stands at once behind them. */
  readonly attached?: string;
  /** The first operand is the program (`awk`, `deno eval x`), where no option gave one. */
  readonly operand?: boolean;
  /** Subcommands before the program or the file. */
  readonly subs?: readonly string[];
}

function interpreter({ language, code, valued = '', attached = '', operand = false, subs = [] }: InterpreterSpec): ProgramHandler {
  const spec = options(`${code} ${valued}`, { attached });
  return (call, machine) => {
    machine.emit(call);
    const scanned = scanOptions(call.args, spec);
    // `bun x` is `bunx`.
    if (call.program === 'bun' && scanned.operands[0]?.text === 'x') return machine.runExternal(scanned.operands.slice(1), call.frame);
    const programs = valuesOf(scanned, code);
    const sub = subs.includes(scanned.operands[0]?.text ?? '') ? 1 : 0;
    const [first] = scanned.operands.slice(sub);
    const reader: Reader = { call, machine, language };
    if (language === 'awk') for (const file of valuesOf(scanned, '-f --file')) readFile(file, reader);
    for (const program of programs) read(program, reader);
    // `python manage.py shell -c 'code'`.
    if (scanned.operands.some((word) => word.text === 'shell')) for (const word of valuesOf(scanOptions(scanned.operands, options(code, { permutes: true })), code)) read(word, reader);
    // `python -m timeit 'code'`, `ipython -c '!git push'`.
    if (valuesOf(scanned, '-m').some((word) => word.text === 'timeit')) for (const word of scanned.operands) read(word, reader);
    for (const { text } of programs) for (const [, line] of /^i?python|^sage/.test(call.program) ? text.matchAll(/^\s*!+([^\n]*)/gm) : []) runLine(line ?? '', call.frame, machine);
    if (programs.length > 0) return anything;
    if (first && (operand || scanned.operands[0]?.text === 'eval')) {
      if (!hasOption(scanned, '-f --file')) read(first, reader);
    } else if (first && !isStandardInput(first.text)) readFile(first, reader);
    else readInput(reader);
    return anything;
  };
}

interface Reader {
  readonly call: Call;
  readonly machine: Machine;
  readonly language: LanguageName;
}

function readInput({ call, machine, language }: Reader): void {
  const { input, redirects } = call.frame;
  if (input === silence) return;
  if (input.text !== null) read(field(input.text), { call, machine, language });
  else if (!redirects.some((redirect) => redirect.operator.startsWith('<') && redirect.target.certain) && !call.args.some((word) => /^-(m|-version|V|h|-help|v)$/.test(word.text))) {
    machine.unknown('it reads a program that is not known', call.path);
  }
}

/** A file is a program like any other, unless the line itself makes it. */
function readFile(file: Field, { call, machine, language }: Reader): void {
  const written = call.frame.scope.written(file.text);
  if (written) {
    if (written.text === null) machine.unknown('it runs a file that the line itself makes', file.text);
    else read(field(written.text), { call, machine, language });
  } else if (machine.marks.isWild(file.text)) machine.unknown('it is not known which program it runs', machine.marks.show(file.text));
}

/** Follows what a program runs. */
function read({ text }: Field, reader: Reader, depth = 0): void {
  const { machine, language } = reader;
  const shown = machine.marks.show(text);
  if (text.trim() !== '' && isWhollyUnknown(text)) return machine.unknown('it runs a program that is not known', shown);
  if (text.length > codeCharsMax) {
    const { runs, gateways, ambiguous, imports, evaluates } = languages[language];
    const words = new Set(text.split(/[^\w$:.]+|\./));
    const hasGateway = [...gateways].some((name) => words.has(name));
    const isRisky = [...runs].some((name) => words.has(name) && (hasGateway || !ambiguous.has(name))) || [...imports, ...evaluates].some((name) => name !== 'compile' && words.has(name));
    if (isRisky) machine.unknown('it runs a long program that can run commands', shown);
    return;
  }
  const hole = machine.marks.add('…', 'wild');
  for (const effect of readCode(text, language, hole)) follow(effect, reader, { shown, depth });
}

const codeCharsMax = 16_384;

function isWhollyUnknown(text: string): boolean {
  return !isKnown(text) && text.replace(/[\ue000-\uf8ff\s]/g, '') === '';
}

function follow(effect: Effect, reader: Reader, { shown, depth }: { shown: string; depth: number }): void {
  const { call, machine } = reader;
  const { frame } = call;
  switch (effect.kind) {
    case 'line':
      runLine(effect.line, frame, machine);
      return;
    case 'pipe':
      machine.runText(effect.line, { ...frame, scope: frame.scope.child(), input: anything, depth: frame.depth + 1 });
      return;
    case 'words':
      machine.runExternal(effect.words.map(field), { ...frame, scope: frame.scope.child() });
      return;
    case 'code':
      if (depth < codeDepthMax) read(field(effect.code), reader, depth + 1);
      else machine.unknown('a program runs a program', shown);
      return;
    case 'change':
      return machine.emitChange(field(effect.directory ?? machine.marks.add('…', 'wild')), frame);
    case 'remove':
      return machine.emit({ program: 'rm', path: 'rm', args: [field('-rf'), field(effect.path ?? machine.marks.add('…', 'wild'))], frame });
    case 'unlink':
      return machine.emit({ program: 'rm', path: 'rm', args: [field(effect.path)], frame });
    case 'write':
      return machine.emit({ program: '', path: '', args: [], frame: { ...frame, redirects: [{ operator: '>', target: machine.marks.word(effect.path, false) }] } });
    case 'request':
      return machine.emit({ program: 'curl', path: 'curl', args: ['-X', effect.method, effect.url].map(field), frame });
    case 'open':
      return machine.unknown('it runs a program that can run commands', shown);
    default:
      effect satisfies never;
  }
}

const codeDepthMax = 4;

const python: InterpreterSpec = { language: 'python', code: '-c', valued: '-W -X -m -Q --check-hash-based-pycs' };
const node: InterpreterSpec = { language: 'javascript', code: '-e --eval -p --print -pe', valued: '-r --require --import --loader --experimental-loader -C --conditions --env-file --input-type --inspect-port --title' };
const perl: InterpreterSpec = { language: 'perl', code: '-e -E', valued: '-I -M -m', attached: '-i -0 -l -F -x -C -d -D -V' };
const awk: InterpreterSpec = { language: 'awk', code: '-e --source', valued: '-F --field-separator -v --assign -f --file -i --include -l --load', operand: true };

/** What is compiled from a source that the line itself writes may be run by it. */
const compiler: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const reader: Reader = { call, machine, language: 'other' };
  for (const file of call.args) if (call.frame.scope.written(file.text)) readFile(file, reader);
  if (call.args.some((word) => word.text === '-')) readInput(reader);
  return anything;
};

const compilers = ['gcc', 'cc', 'clang', 'g++', 'c++', 'clang++', 'tcc', 'rustc', 'go', 'javac', 'java', 'kotlinc', 'swiftc', 'zig', 'nim', 'dmd', 'fpc', 'gfortran', 'csc', 'dotnet', 'mcs', 'v'];

export const interpreters: ReadonlyMap<string, ProgramHandler> = new Map([
  ...compilers.map((name): [string, ProgramHandler] => [name, compiler]),
  ...Object.entries<InterpreterSpec>({
    ...{ python, python2: python, python3: python, pypy: python, pypy3: python, ipython: python, ipython3: python, sage: python, jython: python },
    ...{ node, nodejs: node, bun: { ...node, subs: ['run'] }, deno: { language: 'javascript', code: '', subs: ['eval', 'run', 'repl'] }, tsx: node, 'ts-node': node, qjs: node, jsc: node, d8: node },
    ...{ perl, perl5: perl, ruby: { language: 'ruby', code: '-e', valued: '-r -I -C -E', attached: '-i -0 -F -T -K -W -x' }, jruby: { language: 'ruby', code: '-e' }, irb: { language: 'ruby', code: '-e' } },
    ...{ php: { language: 'php', code: '-r -B -R -E --run', valued: '-d -c -f -S -t' }, awk, gawk: awk, mawk: awk, nawk: awk, 'original-awk': awk },
    ...{ lua: { language: 'lua', code: '-e', valued: '-l' }, luajit: { language: 'lua', code: '-e', valued: '-l' } },
    ...{ emacs: { language: 'lisp', code: '--eval --execute -eval', valued: '-l --load -f -q-x' }, emacsclient: { language: 'lisp', code: '-e --eval' }, sbcl: { language: 'lisp', code: '--eval', valued: '--load' } },
    ...{ guile: { language: 'lisp', code: '-c', valued: '-l' }, racket: { language: 'lisp', code: '-e --eval', valued: '-l -t' }, clojure: { language: 'lisp', code: '-e --eval' }, clj: { language: 'lisp', code: '-e --eval' }, bb: { language: 'lisp', code: '-e' } },
    ...{ r: { language: 'other', code: '-e' }, rscript: { language: 'other', code: '-e' }, julia: { language: 'other', code: '-e -E --eval --print' }, elixir: { language: 'other', code: '-e --eval' } },
    ...{ erl: { language: 'other', code: '-eval' }, groovy: { language: 'other', code: '-e' }, scala: { language: 'other', code: '-e -Y-x' }, octave: { language: 'other', code: '--eval' }, gnuplot: { language: 'other', code: '-e' } },
    ...{ ghc: { language: 'other', code: '-e' }, runghc: { language: 'other', code: '-e' }, crystal: { language: 'other', code: '', subs: ['eval'] }, nim: { language: 'other', code: '--eval' }, swift: { language: 'other', code: '-e' }, m4: { language: 'other', code: '' } },
    ...{ ocaml: { language: 'other', code: '-e' }, jshell: { language: 'other', code: '' }, matlab: { language: 'other', code: '-batch -r' }, zx: { ...node, code: '-e --eval' } },
    ...{ rake: { language: 'ruby', code: '-e --execute -E --execute-continue -p --execute-print', valued: '-f -R' }, rails: { language: 'ruby', code: '', subs: ['runner', 'r'], operand: true } },
  }).map(([name, spec]): [string, ProgramHandler] => [name, interpreter(spec)]),
]);
