import type { Function as FunctionNode } from 'unbash';
import { Bindings } from './bindings.ts';
import type { Budget } from './budget.ts';
import { anything, type Flow } from './flow.ts';
import type { Marks } from './marks.ts';
import { joinPath } from './path.ts';

/** What a shell remembers at one point of a script. */
export class Scope {
  /** Name → its possible values. An element of an associative array is a variable of its own, named `name[key]`. */
  readonly variables: Bindings<Variable>;
  /** Name → its possible definitions; null among them: it may not be defined. */
  readonly functions: Bindings<readonly (ShellFunction | null)[]>;
  /** Also what `hash -p` and copies of programs make of a name. */
  readonly aliases: Bindings<readonly string[]>;
  /** Aliases of git, set with `git config`. */
  readonly gitAliases: Bindings<readonly string[]>;
  private readonly files: Bindings<Flow>;
  private readonly budget: Budget;
  /** `$1` and so on; null where they are not known. */
  positional: readonly string[] | null;
  /** The working directory, as in `ShellCommand`. */
  directory: string | null;
  /** `$_`: the last word of the command before; null where that is not known. */
  lastWord: string | null = null;
  /** What `exec < file` has made the standard input. */
  input: Flow | null = null;
  /** `$0`. */
  name: string;
  /** Variables to restore when the function returns; null outside functions. */
  locals: Map<string, Variable | undefined> | null = null;

  /** `budget` bounds what copies may cost; `from`: the scope that this one is a fork of. */
  constructor(budget: Budget, from?: Scope) {
    this.budget = budget;
    this.variables = from?.variables.fork() ?? new Bindings(budget);
    this.functions = from?.functions.fork() ?? new Bindings(budget);
    this.aliases = from?.aliases.fork() ?? new Bindings(budget);
    this.gitAliases = from?.gitAliases.fork() ?? new Bindings(budget);
    this.files = from?.files.fork() ?? new Bindings(budget);
    this.positional = from ? from.positional : [];
    this.directory = from ? from.directory : '';
    this.name = from?.name ?? 'bash';
    this.lastWord = from?.lastWord ?? null;
    this.input = from?.input ?? null;
    this.locals = from?.locals ?? null;
  }

  fork(): Scope {
    return new Scope(this.budget, this);
  }

  /** What a shell on another machine knows of this one: nothing. */
  elsewhere(): Scope {
    return new Scope(this.budget);
  }

  /** What a new process of a shell knows: the exported variables, and perhaps the functions. */
  child(): Scope {
    const child = this.fork();
    child.variables.filter((variable) => variable.exported);
    child.functions.update((definitions) => [...definitions, null]);
    child.aliases.filter(() => false);
    child.locals = null;
    return child;
  }

  /** This is how it is after either of two ways. */
  join(other: Scope, marks: Marks): void {
    this.variables.join(other.variables, (one, two, name) => {
      const unset: Variable = { values: [[marks.add(`$${name}`, 'tame')]], exported: false };
      const joined = joinVariables(one ?? unset, two ?? unset);
      return joined.values.length <= alternativesMax ? joined : { ...joined, values: [[marks.add(`$${name}`, 'wild')]] };
    });
    this.functions.join(other.functions, (one, two) => distinct([...(one ?? [null]), ...(two ?? [null])]));
    this.aliases.join(other.aliases, (one, two) => distinct([...(one ?? []), ...(two ?? [])]));
    this.gitAliases.join(other.gitAliases, (one, two) => distinct([...(one ?? []), ...(two ?? [])]));
    this.files.join(other.files, (one, two) => (one && two && one.text !== two.text ? anything : (one ?? two ?? anything)));
    if (!sameTexts(this.positional, other.positional)) this.positional = null;
    if (this.directory !== other.directory) this.directory = null;
    if (this.lastWord !== other.lastWord) this.lastWord = null;
  }

  /** Takes over everything of a fork. */
  become(fork: Scope): void {
    this.variables.become(fork.variables);
    this.functions.become(fork.functions);
    this.aliases.become(fork.aliases);
    this.gitAliases.become(fork.gitAliases);
    this.files.become(fork.files);
    this.positional = fork.positional;
    this.directory = fork.directory;
    this.lastWord = fork.lastWord;
    this.input = fork.input;
  }

  /** What the line has written into this file, or what the process substitution of this name prints. */
  written(path: string): Flow | undefined {
    return this.files.get(this.fileKey(path));
  }

  write(path: string, flow: Flow): void {
    this.files.set(this.fileKey(path), flow);
  }

  /** Files are the same for every process. */
  keepFiles(fork: Scope): void {
    this.files.become(fork.files);
  }

  private fileKey(path: string): string {
    const key = joinPath(this.directory, path) ?? `?/${path}`;
    return key.replace(/^\/proc\/[^/]+\/fd\//, '/dev/fd/');
  }

  assign(name: string, values: readonly (readonly string[])[]): void {
    this.variables.set(name, { values, exported: this.variables.get(name)?.exported ?? false });
  }
}

export interface Variable {
  /** Alternatives. A value is a list: of one for a plain variable, of any number for an array. */
  readonly values: readonly (readonly string[])[];
  readonly exported: boolean;
}

export interface ShellFunction {
  readonly body: FunctionNode['body'];
}

/** More alternatives than that are followed as one that is not known. */
const alternativesMax = 16;

function joinVariables(one: Variable, two: Variable): Variable {
  if (one === two) return one;
  const values = [...one.values];
  for (const value of two.values) if (!values.some((known) => sameTexts(known, value))) values.push(value);
  if (values.length === one.values.length && (one.exported || !two.exported)) return one;
  return { values, exported: one.exported || two.exported };
}

function sameTexts(one: readonly string[] | null, two: readonly string[] | null): boolean {
  if (one === two) return true;
  return one?.length === two?.length && one !== null && two !== null && one.every((text, index) => text === two[index]);
}

function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}
