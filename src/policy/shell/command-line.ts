import { forEachChild, parse, type Command, type SyntaxNode } from 'unbash';
import type { ShellCommand, ShellReading, UnknownPart, Word } from './reading.ts';

/** Answers: what would this command line run? Never throws. */
export function readCommandLine(line: string): ShellReading {
  const commands: ShellCommand[] = [];
  const unknowns: UnknownPart[] = [];
  const script = parse(line);
  if (script.errors?.length) {
    unknowns.push({ source: line, reason: 'its syntax is wrong', words: null, mentions: (name) => line.split(/[^\w.-]+/).includes(name) });
  }
  const visit = (node: SyntaxNode): void => {
    forEachChild(node, visit);
    if (node.type === 'Command' && node.name) readSimple(node, { commands, unknowns });
  };
  visit(script);
  return { commands, unknowns };
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

/** Whether a word might be this text. */
export function mightBe(word: Word, text: string): boolean {
  const [first = '', ...others] = word.known;
  if (others.length === 0) return first === text;
  const last = others.pop() ?? '';
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

export type { ShellCommand, ShellReading, ShellRedirect, UnknownPart, Word } from './reading.ts';

const bare = { certain: false, supposed: true, redirects: [], environment: new Map<string, Word>() };

function readSimple(node: Command, found: { commands: ShellCommand[]; unknowns: UnknownPart[] }): void {
  const [first, ...words] = [node.name, ...node.args].filter((word) => word !== undefined).map((word) => readWord(word));
  if (!first) return;
  if (!first.certain) {
    found.unknowns.push({
      source: first.text,
      reason: 'its program is an expansion',
      words: first.plural ? null : words,
      mentions: (name) => first.plural || mightBe(first, name),
    });
    return;
  }
  const program = (first.text.split('/').at(-1) ?? '').toLowerCase();
  const certain = words.every((word) => word.certain);
  found.commands.push({ program, path: first.text, words, certain, supposed: false, redirects: [], environment: new Map() });
}

function readWord(node: { readonly text: string; readonly value?: unknown }): Word {
  const text = typeof node.value === 'string' ? node.value : node.text;
  const certain = !/[$`*?{]/.test(node.text.replace(/'[^']*'/g, ''));
  return { text, certain, plural: !certain && !node.text.includes('"'), known: certain ? [text] : ['', ''] };
}
