import { Interpreter } from './interpreter.ts';
import type { ShellCommand, ShellReading, Word } from './reading.ts';
import { mightBe as wordMightBe } from './word.ts';

/** Answers: what would this command line run? Never throws. */
export function readCommandLine(line: string): ShellReading {
  if (line.length > lineCharsMax) return unreadable(line, 'it is too long');
  try {
    return new Interpreter().read(line);
  } catch {
    // Nothing is known of a line on which the reading fails; so it may be anything.
    return unreadable(line, 'it cannot be read');
  }
}

/** Whether something that is not known might run one of these programs, with arguments that are not known either. */
export function mightRun(reading: ShellReading, programs: readonly string[]): boolean {
  return reading.unknowns.some((part) => part.words === null && programs.some((name) => part.mentions(name)));
}

/** The commands that unknown programs with known arguments would be, if they were one of these: `"$X" push` may be `git push`. All are `supposed`. */
export function supposedCommands(reading: ShellReading, programs: readonly string[]): readonly ShellCommand[] {
  return reading.unknowns.flatMap(({ words, mentions }) =>
    words === null ? [] : programs.filter((name) => mentions(name)).map((name) => ({ ...bare, program: name, path: name, words })),
  );
}

export const mightBe = wordMightBe;

export type { ShellCommand, ShellReading, UnknownPart, Word } from './reading.ts';

const bare = { certain: false, supposed: true, redirects: [], environment: new Map<string, Word>(), directory: null };

/** More than any shell takes as one argument. */
export const lineCharsMax = 262_144;

/** A line of which nothing is known. */
export function unreadable(line: string, reason: string): ShellReading {
  return { commands: [], unknowns: [{ source: line.slice(0, 2000), reason, malformed: null, words: null, mentions: () => true }] };
}
