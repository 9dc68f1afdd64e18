import type { LanguageName } from './language.ts';
import type { Token } from './tokens.ts';
import { argumentsAt, type Value, type Values } from './values.ts';

/** What a program does to a file whose name stands in it. What it does to others cannot be seen. */
export interface FileEffect {
  readonly kind: 'write' | 'unlink';
  readonly path: string;
}

/** The files that a program writes, makes, moves to or removes, one by one. */
export function fileEffects(name: LanguageName, values: Values, bareCalls: boolean): readonly FileEffect[] {
  const { tokens } = values;
  const table = tables.get(name);
  if (!table) return [];
  if (name === 'awk') return tokens.flatMap((_, index) => printed(index, tokens));
  const effects: FileEffect[] = [];
  let removesListed = false;
  for (const index of tokens.keys()) {
    const call = callAt(index, tokens, table);
    if (!call) continue;
    const paths = pathsOf(call.at, argumentsAt(index + 1, values, bareCalls), { index, values });
    removesListed ||= call.kind === 'unlink' && paths.length === 0;
    effects.push(...paths.map((path) => ({ kind: call.kind, path })));
  }
  return removesListed ? [...effects, ...listed(tokens).map((path): FileEffect => ({ kind: 'unlink', path }))] : effects;
}

function callAt(index: number, tokens: readonly Token[], table: Table): FileCall | undefined {
  const token = tokens[index];
  const known = token?.kind === 'name' ? table.get(token.value) : undefined;
  if (!known) return undefined;
  const owner = ownerOf(index, tokens);
  return known.find(({ of }) => of !== null && of === owner) ?? known.find(({ of, at }) => (of === null || owner === null) && (at !== 'receiver' || owner !== null));
}

type Table = ReadonlyMap<string, readonly FileCall[]>;

interface FileCall {
  readonly kind: FileEffect['kind'];
  /** The object whose function it is; null: any, or none. */
  readonly of: string | null;
  /**
   * Which argument is the file: its number; `mode`: the first, when the next one is a mode for writing; `target`: the one with `>`
   * before it (Perl); `receiver`: what the object was made of, as in `Path('x').touch()`.
   */
  readonly at: number | 'mode' | 'target' | 'receiver';
}

interface Place {
  readonly index: number;
  readonly values: Values;
}

function pathsOf(at: FileCall['at'], given: readonly Value[], place: Place): readonly string[] {
  switch (at) {
    case 'mode':
      return /[wax+]/.test(textOf(given[1]) ?? namedMode(place)) ? textsOf(given[0]) : [];
    case 'target': {
      const start = given.findIndex((value) => typeof value === 'string' && /^\s*\+?[<>]*>|^\s*\+</.test(value));
      const attached = (textOf(given[start]) ?? '').replace(/^\s*[+<>]+\s*/, '');
      return start < 0 ? [] : attached === '' ? textsOf(given[start + 1]) : [attached];
    }
    case 'receiver':
      return receiverOf(place);
    default:
      return textsOf(given[at]);
  }
}

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function textsOf(value: Value | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return value ? value.filter((item) => item !== null) : [];
}

/** `open('x', mode='w')`. */
function namedMode({ index, values: { tokens } }: Place): string {
  for (let at = index + 1; at < index + argumentTokensMax && !isSign(tokens[at], ')'); at += 1) {
    const mode = tokens[at + 2];
    if (tokens[at]?.value === 'mode' && isSign(tokens[at + 1], '=') && mode?.kind === 'text') return mode.value;
  }
  return '';
}

const argumentTokensMax = 40;

/** The text in `Path('x').touch()`; the tokens before the dot are `)`, the text, `(`. */
function receiverOf({ index, values: { tokens } }: Place): readonly string[] {
  const text = tokens[index - 3];
  return isSign(tokens[index - 2], ')') && text?.kind === 'text' && isSign(tokens[index - 4], '(') ? [text.value] : [];
}

/** Null: it is called by its bare name. */
function ownerOf(index: number, tokens: readonly Token[]): string | null {
  const sign = tokens[index - 1];
  if (!isSign(sign, '.') && !isSign(sign, ':')) return null;
  return tokens[index - 2]?.value ?? '';
}

/** What a variable may hold that is filled from a directory: `for f in glob('/etc/*'): os.remove(f)`. */
function listed(tokens: readonly Token[]): readonly string[] {
  const found = tokens.flatMap((token, index) => {
    if (token.kind !== 'name' || !(listers.has(token.value) || globbers.has(token.value))) return [];
    const next = tokens[index + 1];
    const text = next?.kind === 'text' ? next : tokens[index + 2];
    if (text?.kind !== 'text') return [];
    return [listers.has(token.value) ? `${text.value}/*` : text.value];
  });
  return [...new Set(found)];
}

const globbers = new Set(['glob', 'iglob', 'globSync', 'Dir']);

const listers = new Set(['listdir', 'scandir', 'readdir', 'readdirSync', 'iterdir', 'opendir', 'entries', 'children', 'each_child']);

/** awk's `print x > "file"`; elsewhere the sign compares. */
function printed(index: number, tokens: readonly Token[]): readonly FileEffect[] {
  const file = tokens[index + 1];
  if (!isSign(tokens[index], '>') || file?.kind !== 'text' || file.value === '') return [];
  for (let at = index - 1; at >= Math.max(0, index - argumentTokensMax); at -= 1) {
    const token = tokens[at];
    if (token?.kind === 'name' && /^printf?$/.test(token.value)) return [{ kind: 'write', path: file.value }];
    if (token?.kind === 'sign' && /[;{}]/.test(token.value)) break;
  }
  return [];
}

function isSign(token: Token | undefined, value: string): boolean {
  return token?.kind === 'sign' && token.value === value;
}

/** `[-][object.]function@argument`; those with a dash remove. */
const spelled: Readonly<Partial<Record<LanguageName, string>>> = {
  python:
    'open@mode write_text@receiver write_bytes@receiver touch@receiver mkdir@receiver os.mkdir@0 makedirs@0 shutil.copy@1 copyfile@1 copy2@1 ' +
    'copytree@1 shutil.move@1 os.rename@1 os.renames@1 os.replace@1 os.symlink@1 os.link@1 os.truncate@0 os.mkfifo@0 os.chmod@0 urlretrieve@1 ' +
    '-os.remove@0 -os.unlink@0 -os.rmdir@0 -unlink@receiver -rmdir@receiver',
  javascript:
    'writeFileSync@0 writeFile@0 appendFileSync@0 appendFile@0 createWriteStream@0 mkdirSync@0 mkdir@0 truncateSync@0 chmodSync@0 openSync@mode ' +
    'fs.open@mode outputFile@0 outputFileSync@0 outputJson@0 writeJson@0 writeJsonSync@0 writeTextFile@0 writeTextFileSync@0 Bun.write@0 ensureDirSync@0 ' +
    'copyFileSync@1 copyFile@1 renameSync@1 rename@1 cpSync@1 symlinkSync@1 symlink@1 linkSync@1 copySync@1 moveSync@1 ' +
    '-unlinkSync@0 -unlink@0 -rmSync@0 -rmdirSync@0',
  ruby:
    'File.write@0 IO.write@0 File.binwrite@0 File.open@mode File.new@mode open@mode touch@0 mkdir_p@0 mkdir@0 FileUtils.cp@1 FileUtils.mv@1 ' +
    'FileUtils.ln_s@1 File.rename@1 File.symlink@1 -File.delete@0 -File.unlink@0 -FileUtils.rm@0 -FileUtils.rm_f@0',
  perl: 'open@target rename@1 symlink@1 mkdir@0 copy@1 move@1 -unlink@0 -rmdir@0',
  php: 'file_put_contents@0 fopen@mode mkdir@0 touch@0 rename@1 copy@1 symlink@1 -unlink@0 -rmdir@0',
  lua: 'io.open@mode os.rename@1 -os.remove@0',
  awk: '',
};

const tables: ReadonlyMap<string, Table> = new Map(Object.entries(spelled).map(([name, text]) => [name, tableOf(text)]));

function tableOf(text: string): Table {
  const table = new Map<string, FileCall[]>();
  for (const [, dash, of, name = '', at = ''] of text.matchAll(/(-)?(?:(\w+)\.)?(\w+)@(\w+)/g)) {
    const place = at === 'mode' || at === 'target' || at === 'receiver' ? at : Number(at);
    table.set(name, [...(table.get(name) ?? []), { kind: dash ? 'unlink' : 'write', of: of ?? null, at: place }]);
  }
  return table;
}
