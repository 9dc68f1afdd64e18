import type { CommandNode, CompoundList, Function as FunctionNode, Word as WordNode } from 'unbash';
import type { Flow } from './flow.ts';
import type { ShellRedirect } from './reading.ts';
import type { Expansion, Field, Frame, Machine } from './machine.ts';

/** The machine as the parts of the walk see it. */
export interface Walker extends Machine {
  /** Counts one step; false, and noted as unknown, when there have been too many. */
  step(): boolean;
  /** Runs something with these redirections. Where none of its commands is noted, what it writes is, as a command without a program. */
  runWriting(redirects: readonly ShellRedirect[], frame: Frame, run: () => Flow): Flow;
  run(node: CommandNode | CompoundList, frame: Frame): Flow;
  /** Remembers a function, which may be called after the line has ended. */
  define(node: FunctionNode, frame: Frame): void;
  /** Runs the body of the function of this name. */
  callBody(body: CommandNode | CompoundList, frame: Frame, name: string): Flow;
  /** Runs `use` once for each combination of the values that variables may have here. */
  worlds<Result>(frame: Frame, use: (expansion: Expansion) => Result): readonly Result[];
  /** The fields of words in all worlds, one after the other. */
  expandAll(words: readonly WordNode[], frame: Frame): readonly Field[];
}
