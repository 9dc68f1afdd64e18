import stringWidth from 'string-width';
import { printable } from '../printable.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A foreign text in at most so many columns, safe to print; what is cut ends with `…`. */
export function fit(text: string, columns: number): string {
  const [first = '', ...more] = linesOf(text, columns, 'anywhere');
  if (more.length === 0 || columns < 1) return first;
  return `${linesOf(first, columns - 1, 'anywhere')[0] ?? ''}…`;
}

/** A foreign text, safe to print, in lines of at most so many columns, broken behind blanks where there are any. Nothing is left out; at least one line. */
export function wrap(text: string, columns: number): string[] {
  return linesOf(text, columns, 'behind blanks');
}

function linesOf(text: string, columns: number, broken: 'anywhere' | 'behind blanks'): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const { segment } of graphemes.segment(printable(text))) {
    const wide = stringWidth(segment);
    if (width + wide > columns && line !== '') {
      const word = broken === 'anywhere' ? null : /(?<=\S ) *\S+$/.exec(line);
      lines.push(line.slice(0, word?.index ?? line.length));
      line = word?.[0] ?? '';
      width = stringWidth(line);
    }
    line += segment;
    width += wide;
  }
  return [...lines, line];
}

/** A text that is safe already, filled up with blanks to so many columns. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - stringWidth(text), 0));
}

type Style = 'bold' | 'dim' | 'inverse' | 'red' | 'green' | 'yellow';

const codes: Readonly<Record<Style, number>> = { bold: 1, dim: 2, inverse: 7, red: 31, green: 32, yellow: 33 };

export function styled(text: string, ...styles: readonly Style[]): string {
  return styles.length === 0 ? text : `\u001b[${styles.map((style) => codes[style]).join(';')}m${text}\u001b[0m`;
}
