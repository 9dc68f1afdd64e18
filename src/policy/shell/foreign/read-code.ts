import { fileEffects, type FileEffect } from './file-effects.ts';
import { languages, type Language, type LanguageName } from './language.ts';
import { httpEffects, type HttpEffect } from './requests.ts';
import { argumentsAt, constantsOf, type Value } from './values.ts';
import { lispNameAt, tokenize, type Token } from './tokens.ts';

/** What a program of another language would do, as far as it concerns policies on commands. */
export type Effect =
  /** Runs a command line. */
  | { readonly kind: 'line'; readonly line: string }
  /** Runs a command line that reads what the program prints. */
  | { readonly kind: 'pipe'; readonly line: string }
  /** Runs a program with arguments. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Runs a text as a program of the same language. */
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'change'; readonly directory: string | null }
  | { readonly kind: 'remove'; readonly path: string | null }
  | FileEffect
  | HttpEffect
  /** Can run commands that are not known. */
  | { readonly kind: 'open' };

/** Finds the commands that a program holds as texts. `hole` stands for what is not known inside a text. */
export function readCode(code: string, languageName: LanguageName, hole: string): readonly Effect[] {
  const language = languages[languageName];
  const bare = withoutPatterns(code, language);
  const tokens = language.comments[0] === ';' ? lispTokens(code, language, hole) : tokenize(bare, language, hole);
  const names = new Set(tokens.flatMap((token) => (token.kind === 'name' ? [token.value] : [])));
  // Modules may be named by a text: `require('child_process')`.
  const takesTexts = ['require', 'import', '__import__', 'import_module', '_load', 'binding'].some((name) => names.has(name));
  if (takesTexts) for (const token of tokens) if (token.kind === 'text') names.add(token.value);
  const hasGateway = [...language.gateways].some((name) => names.has(name));
  const effects: Effect[] = [];
  const context = { tokens, constants: constantsOf(tokens), hole };
  let calls = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'command') {
      effects.push({ kind: 'line', line: token.value });
      calls += 1;
    }
    effects.push(...pipes(index, tokens, language));
    if (token.kind !== 'name') continue;
    const { value: name } = token;
    const values = (): readonly Value[] => argumentsAt(index + 1, context, language.bareCalls);
    if (language.evaluates.has(name)) effects.push(...evaluation(index, values(), tokens));
    else if (runsByName(name, context.constants, language) && (hasGateway || !language.ambiguous.has(name) || isTemplate(index, tokens) || opensPipe(values()))) {
      if (isEmptyCall(tokens, index) || isImportedName(tokens, index)) continue;
      calls += 1;
      effects.push(...running(name, isCalled(tokens, index, language) ? values() : [null]));
    } else if (language.changes.has(name) && isCalled(tokens, index, language)) effects.push({ kind: 'change', directory: firstText(values()) });
    else if (language.removes.has(name) && isCalled(tokens, index, language) && isRecursive(name, code)) effects.push({ kind: 'remove', path: firstText(values()) });
  }
  effects.push(...httpEffects(code, context));
  const commands = effects.length;
  effects.push(...fileEffects(languageName, context, language.bareCalls));
  if (tokens.some((token, index) => language.imports.has(token.value) && isImported(index, tokens) && (!/git|dulwich/.test(token.value) || names.has('push')))) effects.push({ kind: 'open' });
  if (hasGateway && calls === 0 && language.computesMembers && !isOnlyNamed(names, language)) effects.push({ kind: 'open' });
  if (language.computesMembers && tokens.some((token, index) => token.kind === 'name' && language.modules.has(token.value) && isOpenBracket(tokens[index + 1]))) effects.push({ kind: 'open' });
  if ([...language.indirections].some((name) => names.has(name)) && [...language.modules].some((name) => names.has(name)) && reaches(language, names, calls)) effects.push({ kind: 'open' });
  if (language.hasPatterns && calls === 0 && commands === 0 && hidesCall(bare, language, hasGateway)) effects.push({ kind: 'open' });
  return effects;
}

/** A function, or in some languages a variable that holds its name: `$f = "system"`. */
function runsByName(name: string, constants: ReadonlyMap<string, Value>, { runs }: Language): boolean {
  if (runs.has(name)) return true;
  const value = name.startsWith('$') ? constants.get(name) : undefined;
  return typeof value === 'string' && runs.has(value);
}

/** zx and Bun run what stands behind `$`; with parentheses it means something else. */
function isTemplate(index: number, tokens: readonly Token[]): boolean {
  return tokens[index]?.value === '$' && tokens[index + 1]?.kind === 'text';
}

/** `const { execSync } = …`, `import { exec, spawn } from …`, `from os import system`: by its own name, so that its calls are found. */
function isImportedName(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1];
  if (isPythonImport(tokens, index)) return next?.value !== 'as';
  if (next?.kind !== 'sign' || !(next.value === ',' || next.value === '}')) return false;
  for (let at = index - 1; at > index - importsMax; at -= 1) {
    const token = tokens[at];
    if (token?.kind === 'sign' && token.value === '{') return /^(?:const|let|var|import)$/.test(tokens[at - 1]?.value ?? '');
    if (token?.kind !== 'name' && token?.value !== ',') return false;
  }
  return false;
}

/** `from subprocess import run, PIPE`. */
function isPythonImport(tokens: readonly Token[], index: number): boolean {
  let at = index - 1;
  while (tokens[at]?.value === ',' && tokens[at - 1]?.kind === 'name' && at > index - importsMax) at -= 2;
  return tokens[at]?.value === 'import' && tokens.slice(Math.max(0, at - 6), at).some(({ value }) => value === 'from');
}

const importsMax = 40;

/** awk's `"git push" | getline` and `print | "git push"`, Groovy's `"git push".execute()`. */
function pipes(index: number, tokens: readonly Token[], language: Language): readonly Effect[] {
  const [before, token, after, last] = [tokens[index - 1], tokens[index], tokens[index + 1], tokens[index + 2]];
  if (token?.kind !== 'sign') return [];
  if (token.value === '.' && after?.kind === 'name' && after.value === 'execute') {
    if (before?.kind === 'text') return [{ kind: 'line', line: before.value }];
    return before?.kind === 'sign' && before.value === ']' ? [{ kind: 'open' }] : [];
  }
  if (token.value !== '|' || !isAwk(language) || (before?.kind === 'sign' && before.value === '|')) return [];
  if (after?.kind === 'name' && after.value === 'getline') return [before?.kind === 'text' ? { kind: 'line', line: before.value } : { kind: 'open' }];
  const command = after?.kind === 'sign' && after.value === '&' ? last : after;
  if (command?.kind === 'text') return [{ kind: 'pipe', line: command.value }];
  return command?.kind === 'name' ? [{ kind: 'open' }] : [];
}

function isAwk({ runs }: Language): boolean {
  return runs.size === 1;
}

/** `open("|git push")` of Perl and Ruby. */
function opensPipe(values: readonly Value[]): boolean {
  return values.some((value) => typeof value === 'string' && /^\s*\+?[-|]*\||\|\s*$|^-\|$/.test(value));
}

/** `import sh`, `from sh import git`, `require('shelljs')`. */
function isImported(index: number, tokens: readonly Token[]): boolean {
  const token = tokens[index];
  if (token?.kind === 'text') return tokens.slice(Math.max(0, index - 2), index).some(({ value }) => value === 'require' || value === 'import' || value === 'from');
  for (let at = index - 1; at >= 0 && at > index - 12; at -= 1) {
    const before = tokens[at];
    if (before?.kind === 'name' && (before.value === 'import' || before.value === 'from')) return true;
    if (before?.kind !== 'name' && before?.value !== ',') return false;
  }
  return false;
}

function isOpenBracket(token: Token | undefined): boolean {
  return token?.kind === 'sign' && token.value === '[';
}

/** The program without its patterns (Perl's `</etc/*>` is a list of files), whose signs and quotes are no code. A replacement that is evaluated (`s/…/…/e`) stays. */
function withoutPatterns(code: string, language: Language): string {
  if (isAwk(language)) return code.replace(/(^|[~(,!&|{;]\s*)\/(?:\\.|[^/\\\n])+\//g, '$1""');
  if (language.interpolation !== 'dollar' || !language.bareCalls) return code;
  const globbed = code.replace(/<([~/.][^<>\s]*)>/g, 'glob("$1")');
  return globbed.replace(/(^|[;{(~]\s*|\b(?:if|unless|and|or|not)\s+)(?:(?:s|tr|y)([/|!#,])(?:\\.|(?!\2)[^\\])*\2(?:\\.|(?!\2)[^\\])*\2([a-z]*)|m?\/(?:\\.|[^/\\\n])+\/[a-z]*)/g, (whole: string, before: string, ...[, flags]: (string | undefined)[]) =>
    flags?.includes('e') ? whole : `${before}""`,
  );
}

/** `platform.system()` is given nothing to run. */
function isEmptyCall(tokens: readonly Token[], index: number): boolean {
  const [open, close] = [tokens[index + 1], tokens[index + 2]];
  return open?.kind === 'sign' && open.value === '(' && close?.kind === 'sign' && close.value === ')';
}

function isCalled(tokens: readonly Token[], index: number, { bareCalls }: Language): boolean {
  const next = tokens[index + 1];
  if (next?.kind === 'text') return true;
  return next?.kind === 'sign' && (next.value === '(' || (bareCalls && /[[@$%*:#'(]/.test(next.value)));
}

function running(name: string, values: readonly Value[]): readonly Effect[] {
  const given = /^(posix_)?spawn[lv]/.test(name) && values[0] === null ? values.slice(1) : values;
  const [first, ...others] = given;
  if (first === null || first === undefined) return [{ kind: 'open' }];
  const known = others.filter((value) => value !== null);
  if (typeof first !== 'string') return [words(first)];
  const list = known.find((value) => typeof value !== 'string');
  const program = first.replace(/^\s*\+?[-|]*\||\|\s*$/g, '');
  // Some take the program twice, as its own first argument.
  if (list && typeof list !== 'string') return [words([program, ...list]), words(list)];
  const texts = known.filter((value) => typeof value === 'string');
  if (texts.length === 0) return [{ kind: 'line', line: program }];
  if (others.includes(null) && texts.length < others.length) return [words([program, ...texts]), { kind: 'open' }];
  return [words([program, ...texts]), words(texts), ...(program === '' || program === '-|' ? [{ kind: 'line', line: texts.join(' ') } as const] : [])];
}

function words(list: readonly (string | null)[]): Effect {
  const known = list.filter((word) => word !== null);
  return known.length === list.length && known.length > 0 ? { kind: 'words', words: known } : { kind: 'open' };
}

function evaluation(index: number, values: readonly Value[], tokens: readonly Token[]): readonly Effect[] {
  const [name, next] = [tokens[index]?.value, tokens[index + 1]];
  // Perl's `eval {}` and a method such as `re.compile(…)` run no text.
  if (next?.kind === 'sign' && next.value === '{') return [];
  const before = tokens[index - 1];
  if ((name === 'compile' || name === 'exec') && before?.kind === 'sign' && before.value === '.') return [];
  if (next?.kind !== 'text' && !(next?.kind === 'sign' && (next.value === '(' || next.value === '$'))) return [];
  const [first] = values;
  return typeof first === 'string' ? [{ kind: 'code', code: first }] : [{ kind: 'open' }];
}

function firstText(values: readonly Value[]): string | null {
  const [first] = values;
  return typeof first === 'string' ? first : Array.isArray(first) && typeof first[0] === 'string' ? first[0] : null;
}

/** `fs.rm` and `fs.rmdir` remove a tree only when told so. */
function isRecursive(name: string, code: string): boolean {
  return !['rm', 'rmSync', 'rmdir', 'rmdirSync', 'unlink'].includes(name) || /recursive\W+(true|TRUE|1|!0)/.test(code);
}

/** A gateway that is imported and not used cannot run anything; one of these words alone is no gateway. */
function isOnlyNamed(names: ReadonlySet<string>, language: Language): boolean {
  const found = [...language.gateways].filter((name) => names.has(name));
  return found.every((name) => harmlessAlone.has(name));
}

const harmlessAlone = new Set(['sh', 'commands', 'shell', 'Bun', 'Deno', 'System', 'os', 'process', 'Process', 'Base', 'sys', 'Command', 'fabric', 'invoke', 'Cmd', 'popen', 'Runtime']);

/** Whether an indirection could reach a function that runs commands: its module is named, or nothing tells. */
function reaches(language: Language, names: ReadonlySet<string>, calls: number): boolean {
  if (calls > 0) return false;
  const strong = ['os', 'posix', 'subprocess', 'pty', 'builtins', '__import__', 'import_module', 'ctypes', 'process', 'module', 'Module', 'globalThis', 'Kernel', 'syscall', 'call_user_func', 'call_user_func_array', 'ReflectionFunction', 'io', 'send', 'public_send', '__send__'];
  return strong.some((name) => language.modules.has(name) && names.has(name));
}

function hidesCall(code: string, language: Language, hasGateway: boolean): boolean {
  const risky = [...language.runs].filter((name) => /^\w+$/.test(name) && (hasGateway || !language.ambiguous.has(name)));
  // A quote in a pattern throws the texts out of step.
  if (isAwk(language) && /\/[^/\n]*"[^/\n]*\//.test(code) && /\|&?\s*"|"\s*\|&?\s*getline/.test(code)) return true;
  return risky.length > 0 && new RegExp(`(?<![\\w.-])(?:${risky.join('|')})\\s*\\(\\s*["'\`$]`).test(code);
}

/** In Lisp a name may hold dashes, and a quote is no text. */
function lispTokens(code: string, language: Language, hole: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const token of tokenize(code.replace(/(?<=[\s(])'(?=[\s(\w])/g, ' '), language, hole)) {
    const last = tokens.at(-1);
    if (token.kind === 'name' && last?.kind === 'name' && code.slice(last.at, token.at).trim() === last.value) {
      tokens.push(token);
      continue;
    }
    tokens.push(token.kind === 'name' ? { ...token, value: (lispNameAt(code, token.at) || token.value).replace(/^.*\/(?=\w)/, '') } : token);
  }
  return tokens;
}
