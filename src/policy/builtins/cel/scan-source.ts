import { SourceFault } from './source-fault.ts';

/**
 * Refuses, by throwing, what the parser would refuse in a way that helps nobody, or not in time: it names the place where it began to
 * read what is wrong and not the place that is wrong, and takes cubic time for brackets that are never closed.
 */
export function scanSource(source: string): void {
  const open: { readonly bracket: string; readonly offset: number }[] = [];
  let last = '';
  for (let offset = 0; offset < source.length; ) {
    const skipped = blankOrComment(source, offset);
    if (skipped > offset) {
      offset = skipped;
      continue;
    }
    const character = source.charAt(offset);
    if (character === '"' || character === "'") {
      last = character;
      offset = endOfText(source, offset);
      continue;
    }
    const closing = closingOf[character];
    if (closing !== undefined) {
      if (open.length >= bracketDepthMax) throw new SourceFault(`brackets are nested deeper than ${bracketDepthMax} levels.`, offset);
      open.push({ bracket: character, offset });
    } else if (character === ')' || character === ']' || character === '}') {
      const opened = open.pop();
      if (!opened) throw new SourceFault(`nothing is open that "${character}" could close.`, offset);
      if (closingOf[opened.bracket] !== character) throw new SourceFault(`expected "${closingOf[opened.bracket] ?? ''}", which closes "${opened.bracket}", got "${character}".`, offset);
    } else if (character === '=' && source.charAt(offset + 1) !== '=' && !comparisonStarts.includes(source.charAt(offset - 1))) {
      throw new SourceFault('write "==" to compare.', offset);
    }
    last = character;
    offset += 1;
  }
  const unclosed = open.pop();
  if (unclosed) throw new SourceFault(`"${unclosed.bracket}" is never closed.`, unclosed.offset);
  if (last === '') throw new SourceFault('the expression is empty.', 0);
  if (operatorEnds.includes(last)) throw new SourceFault(`the expression ends where something must follow ${JSON.stringify(trailingOperator.exec(source)?.[1] ?? last)}.`, source.length);
}

/** Also what bounds the recursion of the parser. */
const bracketDepthMax = 50;

const closingOf: Readonly<Partial<Record<string, string>>> = { '(': ')', '[': ']', '{': '}' };

const comparisonStarts = ['=', '!', '<', '>'];

const operatorEnds = '+-*/%<>=!&|?:,.';

const trailingOperator = /([-+*/%<>=!&|?:,.]+)\s*$/;

function blankOrComment(source: string, offset: number): number {
  if (source.startsWith('//', offset)) {
    const end = source.indexOf('\n', offset);
    return end < 0 ? source.length : end;
  }
  return /\s/.test(source.charAt(offset)) ? offset + 1 : offset;
}

/** Where the text ends that begins with the quote at `start`: one or three quotes, raw or with escapes. */
function endOfText(source: string, start: number): number {
  const quote = source.charAt(start);
  const fence = source.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  const isRaw = /(^|[^\w])([bB]?[rR]|[rR][bB])$/.test(source.slice(Math.max(0, start - 3), start));
  for (let offset = start + fence.length; offset < source.length; offset += 1) {
    if (source.startsWith(fence, offset)) return offset + fence.length;
    const character = source.charAt(offset);
    if (fence.length === 1 && (character === '\n' || character === '\r')) break;
    if (character === '\\' && !isRaw) offset += 1;
  }
  throw new SourceFault(`the text that begins with ${fence} is never closed.`, start);
}
