import { parse, type CommandNode, type CompoundList, type Function as FunctionNode, type ParsedScript, type ParseError, type Word as WordNode } from 'unbash';
import { Budget, depthMax, itemsPerStep } from './budget.ts';
import { Choices } from './choices.ts';
import { dispatch, dispatchExternal } from './dispatch.ts';
import { expandWords, quotedText } from './expand.ts';
import { anything, silence, type Flow } from './flow.ts';
import type { Call, Expansion, Field, Frame, Machine } from './machine.ts';
import { Marks, withoutMarks } from './marks.ts';
import { commandVariables } from './programs/command-variables.ts';
import type { ShellCommand, ShellReading, ShellRedirect, UnknownPart, Word } from './reading.ts';
import { Scope } from './scope.ts';
import { runNode, runStatements } from './walk.ts';
import type { Walker } from './walker.ts';

/** Follows one command line, and notes what it would run. */
export class Interpreter implements Walker {
  readonly marks = new Marks();
  private readonly commands: ShellCommand[] = [];
  private readonly unknowns: UnknownPart[] = [];
  private readonly budget = new Budget();
  private readonly called = new Set<object>();
  private readonly defined: { readonly body: FunctionNode['body']; readonly frame: Frame }[] = [];
  private isExhausted = false;
  private isMuted = false;
  private source = '';

  read(line: string): ShellReading {
    const scope = new Scope(this.budget);
    const frame: Frame = { scope, input: silence, depth: 0, redirects: [], environment: new Map(), isSupposed: false };
    const source = withoutMarks(line).replace(/\0/g, '').replace(/\r\n?/g, '\n');
    this.source = source;
    this.runText(source, frame);
    this.runUncalled();
    return { commands: this.commands, unknowns: this.unknowns };
  }

  runText(text: string, frame: Frame): Flow {
    if (text.trim() === '') return silence;
    if (frame.depth > depthMax || !this.budget.parse(text.length)) return this.giveUp('it is nested too deep or too long', text);
    if (isTooMuch(text)) return this.giveUp('there is too much to follow', text);
    if (this.marks.isWild(text)) this.unknown('it reads as commands what is not known', this.marks.show(text));
    return this.runScript(parse(text), { ...frame, depth: frame.depth + 1 }, text);
  }

  runScript(script: ParsedScript, frame: Frame, source?: string): Flow {
    if (script.errors && script.errors.length > 0) this.noteSyntax(source ?? script.source ?? this.source, script.errors);
    if (frame.depth > depthMax) return this.giveUp('it is nested too deep', source ?? '');
    return runStatements(script.commands, frame, this);
  }

  runWords(fields: readonly Field[], frame: Frame): Flow {
    if (frame.depth > depthMax) return this.giveUp('it is nested too deep', fields.map((field) => field.text).join(' '));
    return dispatch(fields, frame, this);
  }

  runExternal(fields: readonly Field[], frame: Frame): Flow {
    if (frame.depth > depthMax) return this.giveUp('it is nested too deep', fields.map((field) => field.text).join(' '));
    return dispatchExternal(fields, { ...frame, depth: frame.depth + 1 }, this);
  }

  runWriting(redirects: readonly ShellRedirect[], frame: Frame, run: () => Flow): Flow {
    const before = this.commands.length;
    const printed = run();
    if (this.commands.length === before && redirects.some(({ operator }) => operator.includes('>'))) this.emit({ program: '', path: '', args: [], frame });
    return printed;
  }

  run(node: CommandNode | CompoundList, frame: Frame): Flow {
    return runNode(node, frame, this);
  }

  define({ name, body }: FunctionNode, frame: Frame): void {
    frame.scope.functions.set(name.value, [{ body }]);
    const scope = frame.scope.fork();
    scope.positional = null;
    this.defined.push({ body, frame: { ...frame, scope } });
  }

  callBody(body: CommandNode | CompoundList, frame: Frame, name: string): Flow {
    this.called.add(body);
    if (frame.depth > depthMax) return this.giveUp('a function calls itself', name);
    return runNode(body, frame, this);
  }

  expand(words: readonly WordNode[], frame: Frame): readonly Field[] {
    return this.worlds(frame, (expansion) => expandWords(words, expansion))[0] ?? [];
  }

  expandAll(words: readonly WordNode[], frame: Frame): readonly Field[] {
    return this.worlds(frame, (expansion) => expandWords(words, expansion)).flat();
  }

  mayParse(source: string): boolean {
    if (this.budget.parse(source.length)) return true;
    this.giveUp('it is nested too deep or too long', source);
    return false;
  }

  wordsOf(text: string, frame: Frame): readonly Field[] {
    if (!this.budget.parse(text.length)) return [];
    const words = parse(`x ${text}`).commands.flatMap(({ command }) => (command.type === 'Command' ? command.args : []));
    return this.worlds(frame, (expansion) => expandWords(words, expansion))[0] ?? [];
  }

  quietly(action: () => void): void {
    const before = this.isMuted;
    this.isMuted = true;
    action();
    this.isMuted = before;
  }

  expandText(text: string, frame: Frame): string {
    if (frame.depth > depthMax || !this.budget.parse(text.length)) {
      this.giveUp('it is nested too deep or too long', text);
      return text;
    }
    const [statement] = parse(`x "${text.replaceAll('"', '\\"')}"`).commands;
    const word = statement?.command.type === 'Command' ? statement.command.args[0] : undefined;
    const part = word?.type === 'Word' ? word.parts?.[0] : undefined;
    if (part?.type !== 'DoubleQuoted') return text;
    const there = { ...frame, depth: frame.depth + 1 };
    return this.worlds(there, (expansion) => quotedText(part.parts, expansion))[0] ?? text;
  }

  worlds<Result>(frame: Frame, use: (expansion: Expansion) => Result): readonly Result[] {
    const choices = new Choices();
    const expansion: Expansion = { machine: this, frame, choices, printed: new Map() };
    const results: Result[] = [];
    do results.push(use(expansion));
    while (choices.next() && this.step());
    return results;
  }

  step(): boolean {
    return this.spend(1);
  }

  mayVisit(items: number): boolean {
    return this.spend(items / itemsPerStep);
  }

  assigned(name: string, value: string, frame: Frame): void {
    const kind = commandVariables.get(name);
    if (kind === undefined) return;
    const there = { ...frame, scope: frame.scope.fork(), depth: frame.depth + 1 };
    if (kind === 'prompt') this.expandText(value, there);
    else if (kind === 'command') this.runText(value, there);
    else this.runText(frame.scope.written(value)?.text ?? '', there);
  }

  saved(path: string, text: string, frame: Frame): void {
    if (profiles.test(path)) this.quietly(() => this.runText(text, { ...frame, scope: frame.scope.child(), redirects: [], depth: frame.depth + 1 }));
    else if (/(^|\/)\.git(config|\/config)$/.test(path)) {
      for (const [, name, value] of text.matchAll(/^\s*([\w-]+)\s*=\s*(.*)$/gm)) if (name !== undefined && value !== undefined) frame.scope.gitAliases.set(name.toLowerCase(), [value.replace(/^"(.*)"$/, '$1')]);
    }
  }

  emit(call: Call, fields?: readonly Field[]): void {
    const { program, path, args, frame } = call;
    if (!this.mayVisit(args.length)) return;
    const words = (fields ?? args).map(({ text, plural }) => this.marks.word(text, plural));
    const certain = !frame.isSupposed && words.every((word) => word.certain);
    this.commands.push({ program, path, words, certain, supposed: frame.isSupposed, redirects: frame.redirects, environment: this.environmentOf(frame), directory: frame.scope.directory });
  }

  emitChange(directory: Field, frame: Frame): void {
    this.emit({ program: 'cd', path: 'cd', args: [directory], frame });
  }

  unknown(reason: string, source: string, only: Parameters<Machine['unknown']>[2] = {}): void {
    if (this.isMuted) return;
    this.unknowns.push({ source: source.slice(0, sourceCharsMax), reason, malformed: null, words: null, mentions: () => true, ...only });
  }

  /** What functions plainly run that are not called here: they may be later. */
  private runUncalled(): void {
    this.quietly(() => {
      // Their bodies may define more.
      for (const { body, frame } of this.defined) {
        if (this.called.size > uncalledMax) break;
        if (this.called.has(body)) continue;
        this.called.add(body);
        runNode(body, frame, this);
      }
    });
  }

  private noteSyntax(source: string, errors: readonly ParseError[]): void {
    const shown = this.marks.show(source);
    const isUnclosed = errors.every(({ message }) => unclosed.test(message));
    if (errors.some(({ message }) => message.startsWith('maximum'))) return this.unknown('it is nested too deep', shown);
    // Another shell may understand what this one does not, and run what its expansions give.
    if (!isUnclosed && /[$`]/.test(shown)) return this.unknown('its syntax is wrong', shown, { malformed: 'broken' });
    const bare = shown.replace(/["'`^\\]/g, '');
    const words = new Set(`${shown} ${bare} ${bare.toLowerCase()}`.split(/[^\w.-]+/));
    this.unknown('its syntax is wrong', shown, { malformed: isUnclosed ? 'unclosed' : 'broken', mentions: (name) => words.has(name) });
  }

  private spend(steps: number): boolean {
    if (this.budget.spend(steps)) return true;
    this.giveUp('there is too much to follow', '');
    return false;
  }

  private giveUp(reason: string, source: string): Flow {
    if (!this.isExhausted) {
      this.isMuted = false;
      this.unknown(reason, this.marks.show(source));
    }
    this.isExhausted = true;
    return anything;
  }

  private environmentOf({ scope, environment }: Frame): ReadonlyMap<string, Word> {
    if (scope.variables.size === 0) return environment;
    this.mayVisit(scope.variables.size);
    const exported: [string, Word][] = [];
    for (const [name, variable] of scope.variables.entries()) {
      const [text = ''] = variable.values.at(-1) ?? [];
      // The shell itself reads this one.
      if (variable.exported || name === 'CDPATH') exported.push([name, this.marks.word(variable.values.length > 1 ? this.marks.add(`$${name}`, 'wild') : text, false)]);
    }
    return exported.length === 0 ? environment : new Map([...exported, ...environment]);
  }
}

/** More functions than that are not looked at unless they are called. */
const uncalledMax = 200;

/** Long sources are cut where they are shown. */
const sourceCharsMax = 2000;

/** Parsing this would take too long: more separators than are followed, or too many here-documents that wait for the end of one line. */
function isTooMuch(text: string): boolean {
  if (text.length > separatorsMax && (text.match(/[;&|`]|[$<>]\(|\$\{/g) ?? []).length > separatorsMax) return true;
  if (text.split('<<').length <= documentsMax) return false;
  return text.split('\n').some((line) => line.split('<<').length > documentsMax);
}

/** Files that are run without being called. */
const profiles = /(^|\/)(\.git\/hooks\/[\w-]+|\.husky\/[\w-]+|\.(bash|zsh)(rc|_profile|_login|_logout|env)|\.z?profile|\.envrc)$/;

/** Errors of unbash after which all of the text is in the tree. */
const unclosed = /^unterminated (double quote|single quote|ANSI-C quote|backtick|command substitution|process substitution)$|^expected .* to close /;

const separatorsMax = 10_000;

const documentsMax = 64;

