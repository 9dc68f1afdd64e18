import type { Word } from './reading.ts';

/** Whether a word might be this text. */
export function mightBe({ known }: Word, text: string): boolean {
  const [first = '', ...others] = known;
  const last = others.pop();
  if (last === undefined) return first === text;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
