import type { Word } from '../../shell/command-line.ts';
import type { Finding } from './finding.ts';

/** Judges a command line that a program runs. `words` stand behind its last command. */
export interface Nested {
  judgeLine(line: string, words: readonly Word[]): Finding | null;
}
