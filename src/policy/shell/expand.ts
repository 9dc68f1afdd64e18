import { parse, type ArithmeticExpression, type Assignment, type HereDoc, type Word as WordNode, type WordPart } from 'unbash';
import { expandBraces } from './braces.ts';
import { itemsPerStep } from './budget.ts';
import { evaluateExpansion } from './evaluate-expansion.ts';
import { Fields } from './fields.ts';
import { anything, silence, type Flow } from './flow.ts';
import type { Expansion, Field } from './machine.ts';
import { wildHole } from './marks.ts';
import { expandParameter, separatorsOf, variable, type Expanded } from './parameter.ts';

/** The fields that the words of a command expand to, in bash's order: braces, then expansions, then splitting. */
export function expandWords(words: readonly (WordNode | Assignment)[], expansion: Expansion): readonly Field[] {
  const fields = new Fields(expansion.machine.marks);
  for (const word of words) {
    if (!expansion.machine.mayVisit(1)) break;
    if (word.type === 'Word') expandInto(word, fields, expansion);
    else if (word.value.type === 'Word') fields.add(`${word.name}${word.append ? '+' : ''}=${expandJoined(word.value, expansion)}`);
    // The array itself is assigned beside.
    else fields.add(word.name);
    fields.close();
  }
  return fields.fields;
}

/** One text, as on the right of an assignment: nothing is split. */
export function expandJoined(word: WordNode, expansion: Expansion): string {
  if (!word.parts) return word.value;
  if (!expansion.machine.mayVisit(word.parts.length)) return wildHole;
  const fields = new Fields(expansion.machine.marks);
  for (const part of word.parts) addPart(part, fields, { ...expansion, isJoined: true });
  fields.close();
  return fields.fields.map((field) => field.text).join(' ');
}

/** The text that a here-document gives its command. */
export function expandHereDocument({ body, operator }: HereDoc, expansion: Expansion): string {
  const text = body.parts ? quotedText(body.parts, expansion) : body.text;
  return operator === '<<-' ? text.replace(/^\t+/gm, '') : text;
}

type Mode = Expansion & { readonly isJoined?: boolean };

function expandInto(word: WordNode, fields: Fields, expansion: Expansion): void {
  if (isQuotedTilde(word)) fields.add('./');
  if (!word.parts) return fields.addBare(word.value);
  if (!expansion.machine.mayVisit(word.parts.length)) return fields.addPlural(wildHole);
  if (!word.parts.some((part) => part.type === 'BraceExpansion')) {
    for (const part of word.parts) addPart(part, fields, expansion);
    return;
  }
  // Each source is parsed anew.
  const sources = expandBraces(word.text);
  if (!sources || !expansion.machine.mayVisit(itemsPerStep * sources.length)) return fields.addPlural(expansion.machine.marks.add(word.text, 'wild'));
  for (const source of sources) {
    fields.close();
    for (const part of wordsOf(source)) for (const piece of part.parts ?? [literal(part.value)]) addPart(piece, fields, expansion);
  }
}

/** A `~` in quotes is no home directory but a name; `./~` says so. */
function isQuotedTilde({ text }: WordNode): boolean {
  return /^(\\~|'~'?|"~"?)(\/|$|['"])/.test(text) && /^\W?~["']?(\/.*)?["']?$/.test(text);
}

/** The words of a source that braces made. There is a first word, so that a keyword is none. */
function wordsOf(source: string): readonly WordNode[] {
  const [statement] = parse(`x ${source}`).commands;
  return statement?.command.type === 'Command' ? statement.command.args.filter((word) => word.type === 'Word') : [];
}

function literal(value: string): WordPart {
  return { type: 'Literal', pos: 0, end: 0, value, text: value };
}

function addPart(part: WordPart, fields: Fields, mode: Mode): void {
  const { marks } = mode.machine;
  switch (part.type) {
    case 'Literal':
      return fields.addBare(part.value);
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return fields.add(part.value);
    case 'DoubleQuoted':
    case 'LocaleString':
      return addQuoted(part.parts, fields, mode);
    case 'Glob':
    case 'ExtendedGlob':
      return mode.isJoined ? fields.add(part.text) : fields.addPlural(marks.add(part.text, 'glob'));
    case 'BraceExpansion':
      return fields.add(part.text);
    case 'ProcessSubstitution': {
      const { operator } = part;
      // What is written to it is read as its input.
      const printed = substitute(part, operator === '<' ? mode : { ...mode, frame: { ...mode.frame, input: anything } });
      if (operator === '<') mode.frame.scope.write(part.text, printed);
      return fields.add(part.text);
    }
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
      return addExpanded(expandPart(part, mode), fields, mode);
    default:
      part satisfies never;
  }
}

type ExpansionPart = Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' | 'CommandExpansion' | 'ArithmeticExpansion' }>;

function expandPart(part: ExpansionPart, expansion: Expansion): Expanded {
  switch (part.type) {
    case 'SimpleExpansion':
      return variable(part.text.slice(1), expansion);
    case 'ParameterExpansion':
      return expandParameter(part, expansion, { joined: (word) => expandJoined(word, expansion), quoted: (text) => expansion.machine.expandText(text, expansion.frame) });
    case 'CommandExpansion':
      return one(textOf(substitute(part, expansion), part.text, expansion));
    case 'ArithmeticExpansion':
      return one(evaluateExpansion(part, expansion, (inner) => substitute(inner, expansion).text));
    default:
      part satisfies never;
      return one('');
  }
}

function one(text: string): Expanded {
  return { texts: [text], isList: false };
}

function addExpanded({ texts }: Expanded, fields: Fields, mode: Mode): void {
  if (mode.isJoined) {
    if (texts.length > 0) fields.add(texts.join(' '));
    return;
  }
  const separators = separatorsOf(mode);
  for (const [index, text] of texts.entries()) {
    if (index > 0) fields.close();
    fields.addSplit(text, separators);
  }
}

function addQuoted(parts: readonly WordPart[], fields: Fields, mode: Mode): void {
  if (parts.length === 0) return fields.add('');
  for (const part of parts) {
    if (part.type !== 'SimpleExpansion' && part.type !== 'ParameterExpansion') {
      fields.add(quotedText([part], mode));
      continue;
    }
    const { texts, isList } = expandPart(part, mode);
    if (isList && !mode.isJoined) fields.addList(texts);
    else fields.add(texts.join(joinerOf(mode)));
  }
}

/** The text of parts in which only `$` and back-ticks mean something: double quotes, here-documents. */
export function quotedText(parts: readonly WordPart[], expansion: Expansion): string {
  let text = '';
  if (!expansion.machine.mayVisit(parts.length)) return wildHole;
  for (const part of parts) {
    if (part.type === 'Literal') text += part.value;
    else if (part.type === 'CommandExpansion' || part.type === 'ArithmeticExpansion' || part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion') {
      text += expandPart(part, expansion).texts.join(joinerOf(expansion));
    } else text += part.text;
  }
  return text;
}

function joinerOf(expansion: Expansion): string {
  return separatorsOf(expansion).charAt(0);
}

type Substitution = Extract<WordPart, { type: 'CommandExpansion' | 'ProcessSubstitution' }> | Extract<ArithmeticExpression, { type: 'ArithmeticCommandExpansion' }>;

/** Runs the script inside once, in a shell of its own. */
function substitute(part: Substitution, { machine, frame, printed }: Expansion): Flow {
  const known = printed.get(part);
  if (known) return known;
  const scope = frame.scope.fork();
  // Looking at the script parses it.
  const script = machine.mayParse(part.text) ? part.script : undefined;
  const flow = script ? machine.runScript(script, { ...frame, scope, redirects: [], depth: frame.depth + 1 }) : silence;
  frame.scope.keepFiles(scope);
  printed.set(part, flow);
  return flow;
}

function textOf(flow: Flow, source: string, { machine }: Expansion): string {
  if (flow.text === null) return machine.marks.add(source, flow.wild ? 'wild' : 'tame');
  return flow.text.replace(/\n+$/, '');
}
