import type { ShellCommand, Word } from '../../shell/command-line.ts';

/** The words of a command that name what it writes, creates, changes or removes. */
export function writtenWords({ program, words }: ShellCommand): readonly Word[] {
  const rule = rules.get(program);
  if (!rule) return [];
  const { operands, options } = split(words, rule);
  const valued = options.flatMap(({ name, value }) => (value && rule.writingOptions?.includes(name) ? [value] : []));
  return [...valued, ...rule.writes({ operands, options, hasTarget: valued.length > 0 })];
}

interface Option {
  readonly name: string;
  readonly value: Word | null;
}

interface Arguments {
  readonly operands: readonly Word[];
  readonly options: readonly Option[];
  /** An option names what is written. */
  readonly hasTarget: boolean;
}

interface Rule {
  /** Options whose value is written. */
  readonly writingOptions?: readonly string[];
  /** Other options with a value of their own. */
  readonly otherOptions?: readonly string[];
  writes(given: Arguments): readonly Word[];
}

const all: Rule['writes'] = ({ operands }) => operands;

/** The first operand is a mode or an owner, unless that looks like an option (`-x`). */
const allButFirst: Rule['writes'] = ({ operands }) => operands.filter(({ text }, index) => index > 0 || /^[/~.]/.test(text));

const none: Rule['writes'] = () => [];

const last: Rule['writes'] = ({ operands, hasTarget }) => (hasTarget || operands.length < 2 ? [] : operands.slice(-1));

/** A file of the last name, in place, when an option says so; the script is no file. */
const inPlace: Rule['writes'] = ({ operands, options }) => {
  if (!options.some(({ name }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(name))) return [];
  return options.some(({ name }) => ['-e', '-f', '--expression', '--file'].includes(name)) ? operands : operands.slice(1);
};

/** `gawk -i inplace`; the script is no file. */
const inPlaceAwk: Rule['writes'] = ({ operands, options }) => (options.some(({ name, value }) => name === '-i' && value?.text === 'inplace') ? operands.slice(1) : []);

/** `tar cf FILE`, `tar -czf FILE`. */
const archive: Rule['writes'] = ({ operands, options }) => {
  const [first, second] = operands;
  if (first && second && /^[a-zA-Z]*c[a-zA-Z]*f$|^[a-zA-Z]*f[a-zA-Z]*c$/.test(first.text)) return [second];
  const creates = options.some(({ name }) => /^-[a-zA-Z]*c|^--create$/.test(name));
  return creates ? options.flatMap(({ name, value }) => (value && (name === '-f' || name === '--file') ? [value] : [])) : [];
};

const target = ['-t', '--target-directory'];

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['tee', { writes: all }],
  ['touch', { otherOptions: ['-d', '-t', '-r', '--date', '--reference'], writes: all }],
  ['mkdir', { otherOptions: ['-m', '--mode'], writes: all }],
  ['truncate', { otherOptions: ['-s', '-r', '--size', '--reference'], writes: all }],
  ['rm', { writes: all }],
  ['rmdir', { writes: all }],
  ['unlink', { writes: all }],
  ['shred', { otherOptions: ['-n', '-s'], writes: all }],
  ['chmod', { writes: allButFirst }],
  ['chown', { writes: allButFirst }],
  ['cp', { writingOptions: target, otherOptions: ['-S', '--suffix'], writes: last }],
  ['install', { writingOptions: target, otherOptions: ['-m', '-o', '-g', '--mode', '--owner', '--group'], writes: last }],
  ['ln', { writingOptions: target, otherOptions: ['-S', '--suffix'], writes: last }],
  ['mv', { writingOptions: target, otherOptions: ['-S', '--suffix'], writes: all }],
  ['rsync', { otherOptions: ['-e', '--rsh', '--exclude', '--include'], writes: ({ operands }) => operands.slice(-1).filter(({ text }) => !/^[^/]*:/.test(text)) }],
  ['sed', { otherOptions: ['-e', '-f', '-l', '--expression', '--file'], writes: inPlace }],
  ['perl', { otherOptions: ['-e', '-E'], writes: inPlacePerl() }],
  ['dd', { writes: ({ operands }) => operands.filter(({ text }) => text.startsWith('of=')).map((word) => withoutStart(word, 'of=')) }],
  ['curl', { writingOptions: ['-o', '--output', '--output-dir'], writes: none }],
  ['wget', { writingOptions: ['-O', '--output-document', '-P', '--directory-prefix'], writes: none }],
  ['tar', { writingOptions: ['-C', '--directory'], otherOptions: ['-f', '--file'], writes: archive }],
  ['patch', { writingOptions: ['-o', '--output', '-d', '--directory'], otherOptions: ['-i', '--input', '-p'], writes: ({ operands }) => operands.slice(0, 1) }],
  ['unzip', { writingOptions: ['-d'], writes: none }],
  ['zip', { otherOptions: ['-x', '-i'], writes: ({ operands }) => operands.slice(0, 1) }],
  ['scp', { otherOptions: ['-i', '-P', '-o', '-F', '-l', '-c'], writes: ({ operands }) => (operands.length < 2 ? [] : operands.slice(-1).filter(({ text }) => !/^[^/]*:/.test(text))) }],
  ['docker', { writes: ({ operands }) => (operands[0]?.text === 'cp' ? operands.slice(2, 3).filter(({ text }) => !/^[^/]*:/.test(text)) : []) }],
  ['split', { otherOptions: ['-l', '-b', '-n', '-a', '-C'], writes: ({ operands }) => operands.slice(1) }],
  ['sort', { writingOptions: ['-o', '--output'], otherOptions: ['-k', '-t', '-S', '-T'], writes: none }],
  ['csplit', { writingOptions: ['-f', '--prefix'], writes: none }],
  ['sponge', { writes: all }],
  ['mkfifo', { otherOptions: ['-m'], writes: all }],
  ['mknod', { otherOptions: ['-m'], writes: ({ operands }) => operands.slice(0, 1) }],
  ['mktemp', { writingOptions: ['-p', '--tmpdir'], otherOptions: ['--suffix'], writes: all }],
  ['setfacl', { otherOptions: ['-m', '-x', '-M'], writes: all }],
  ['find', { writingOptions: ['-fprint', '-fprintf', '-fls', '-fprint0'], writes: none }],
  ['ruby', { otherOptions: ['-e', '-r', '-I'], writes: inPlacePerl() }],
  ...['awk', 'gawk'].map((name): [string, Rule] => [name, { otherOptions: ['-i', '-F', '-v', '-f'], writes: inPlaceAwk }]),
  ...['gcc', 'g++', 'cc', 'clang', 'clang++', 'rustc', 'go', 'ld', 'gpg', 'pandoc', 'esbuild', 'tsc', 'protoc', 'openssl'].map((name): [string, Rule] => [name, { writingOptions: ['-o', '--output', '-out'], writes: none }]),
  ['ssh-keygen', { writingOptions: ['-f'], otherOptions: ['-t', '-b', '-C', '-N', '-R', '-F'], writes: none }],
  ['npm', { writingOptions: ['--prefix'], writes: none }],
  ...['pip', 'pip3'].map((name): [string, Rule] => [name, { writingOptions: ['-t', '--target', '--prefix', '--root', '-d', '--dest'], writes: none }]),
  ['ffmpeg', { otherOptions: ['-i', '-ss', '-t', '-to', '-c', '-c:v', '-c:a', '-vf', '-af', '-r', '-s', '-b:v', '-b:a', '-f', '-map', '-crf', '-preset'], writes: ({ operands }) => operands.slice(-1) }],
  ...['ed', 'ex'].map((name): [string, Rule] => [name, { otherOptions: ['-c', '-p'], writes: all }]),
]);

export const writingPrograms: readonly string[] = [...rules.keys()];

function inPlacePerl(): Rule['writes'] {
  return ({ operands, options }) => (options.some(({ name }) => /^-[a-zA-Z]*i/.test(name)) && options.some(({ name }) => /^-[a-zA-Z]*[eE]/.test(name)) ? operands : []);
}

function split(words: readonly Word[], { writingOptions = [], otherOptions = [] }: Rule): { operands: readonly Word[]; options: readonly Option[] } {
  const valued = [...writingOptions, ...otherOptions];
  const operands: Word[] = [];
  const options: Option[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word) continue;
    if (word.text === '--') return { operands: [...operands, ...words.slice(index + 1)], options };
    if (!/^-./.test(word.text)) operands.push(word);
    else if (valued.includes(word.text) || isBundleWithValue(word.text, valued)) {
      const name = valued.includes(word.text) ? word.text : `-${word.text.slice(-1)}`;
      options.push({ name: word.text, value: null }, { name, value: words[index + 1] ?? null });
      index += 1;
    } else options.push(...attached(word, valued));
  }
  return { operands, options };
}

/** `-pt DIR`: the last letter takes the next word. */
function isBundleWithValue(text: string, valued: readonly string[]): boolean {
  return /^-[A-Za-z]{2,}$/.test(text) && valued.includes(`-${text.slice(-1)}`);
}

/** `--output=FILE`, `-oFILE`, and options without a value. */
function attached(word: Word, valued: readonly string[]): readonly Option[] {
  const name = valued.find((option) => word.text.startsWith(option.startsWith('--') ? `${option}=` : option));
  if (name === undefined) return [{ name: word.text, value: null }];
  return [{ name, value: withoutStart(word, name.startsWith('--') ? `${name}=` : name) }];
}

function withoutStart(word: Word, start: string): Word {
  const cut = (text: string): string => (text.startsWith(start) ? text.slice(start.length) : text);
  const [first = '', ...others] = word.known;
  return { ...word, text: cut(word.text), known: [cut(first), ...others] };
}
