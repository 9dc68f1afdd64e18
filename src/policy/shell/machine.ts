import type { ParsedScript, Word as WordNode } from 'unbash';
import type { Choices } from './choices.ts';
import type { Flow } from './flow.ts';
import type { Marks } from './marks.ts';
import type { ShellRedirect, UnknownPart, Word } from './reading.ts';
import type { Scope } from './scope.ts';

/** Follows a command line without running it. What handlers of programs, and the parts of the walk, use of each other. */
export interface Machine {
  readonly marks: Marks;
  /** Reads a text as a script of a shell, in this frame. Holes in it are words; where they might hold more, that is noted as unknown. */
  runText(text: string, frame: Frame): Flow;
  runScript(script: ParsedScript, frame: Frame): Flow;
  /** Runs a command of these words, as after the expansions of a simple command. */
  runWords(fields: readonly Field[], frame: Frame): Flow;
  /** The same where neither functions nor aliases are looked up: behind `sudo`, `command`, `xargs`. */
  runExternal(fields: readonly Field[], frame: Frame): Flow;
  /** The argument list that words expand to. */
  expand(words: readonly WordNode[], frame: Frame): readonly Field[];
  /** Expands a text as between double quotes, for what it runs. */
  expandText(text: string, frame: Frame): string;
  /** Whether this much source may still be parsed. */
  mayParse(source: string): boolean;
  /** Counts so many words, values or parts that are looked at; false, and noted as unknown, when there have been too many. */
  mayVisit(items: number): boolean;
  /** The words of a text, split and expanded as in a shell. */
  wordsOf(text: string, frame: Frame): readonly Field[];
  /** Looks at a value that some program may run later: `PROMPT_COMMAND`, `GIT_SSH_COMMAND`. */
  assigned(name: string, value: string, frame: Frame): void;
  /** Looks at what is written into a file that some program runs later without being asked: a hook, the profile of a shell. */
  saved(path: string, text: string, frame: Frame): void;
  /** Notes of what this does the commands, but not what is unknown. */
  quietly(action: () => void): void;
  /** Notes that this command may run. */
  emit(call: Call, fields?: readonly Field[]): void;
  /** Notes that a `cd` to this directory would have the same effect. */
  emitChange(directory: Field, frame: Frame): void;
  /** Notes that something may run that is not known. */
  unknown(reason: string, source: string, only?: Partial<Pick<UnknownPart, 'words' | 'mentions' | 'malformed'>>): void;
}

/** Where a command runs. */
export interface Frame {
  readonly scope: Scope;
  readonly input: Flow;
  readonly depth: number;
  readonly redirects: readonly ShellRedirect[];
  /** What `env` and assignments before the command set. */
  readonly environment: ReadonlyMap<string, Word>;
  readonly isSupposed: boolean;
}

/** An argument; its text may have holes. */
export interface Field {
  readonly text: string;
  /** The holes were not in quotes: there may be no such argument, or many. */
  readonly plural: boolean;
}

/** A command whose program is known. */
export interface Call {
  /** As in `ShellCommand`. */
  readonly program: string;
  readonly path: string;
  /** The arguments, without the program. */
  readonly args: readonly Field[];
  readonly frame: Frame;
}

/** Follows one program: notes what it runs, and gives what it prints. */
export type ProgramHandler = (call: Call, machine: Machine) => Flow;

/** One expansion of the words of a command. */
export interface Expansion {
  readonly machine: Machine;
  readonly frame: Frame;
  readonly choices: Choices;
  /** What substitutions printed, so that each runs once however many worlds there are. */
  readonly printed: Map<object, Flow>;
}

export function field(text: string): Field {
  return { text, plural: false };
}
