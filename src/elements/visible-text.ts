import { html, type TemplateResult } from 'lit';
import type { Words } from './messages.ts';

/** Characters that are not seen, or that change how others are seen; and runs of blanks that push what follows out of sight. */
const hidden = /(?<deceptive>(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}⠀\u{1d159}])|(?<blanks>[ \t]{17,}|\n{4,}|(?:[ \t]*\n){6,})/gu;

/** Of a text that is cut, so much is shown of its end: what matters is often there. */
const tailShare = 0.3;

/** A text, every character of it to be seen: hidden ones by their code, long runs of blanks by their number. `charsMax`: of more, the middle is left out, and it says so. */
export function visibleText(text: string, { say }: Words, charsMax = Infinity): TemplateResult {
  const parts = withoutMiddle(text, charsMax).map((part) => {
    if (typeof part === 'number') return html`<mark class="cut">⟨${say('charactersLeftOut', { count: part.toLocaleString('en') })}⟩</mark>`;
    return markHidden(part, say);
  });
  return html`${parts}`;
}

/** The number stands for so many characters. */
function withoutMiddle(text: string, charsMax: number): (string | number)[] {
  if (text.length <= charsMax) return [text];
  const tail = Math.floor(charsMax * tailShare);
  const head = charsMax - tail;
  return [text.slice(0, head), text.length - head - tail, text.slice(text.length - tail)];
}

function markHidden(text: string, say: Words['say']): (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = [];
  let from = 0;
  for (const { 0: found, index, groups } of text.matchAll(hidden)) {
    if (index > from) parts.push(text.slice(from, index));
    const shown = groups?.['blanks'] === undefined ? `\\u{${found.codePointAt(0)?.toString(16) ?? ''}}` : `⟨${say('blanks', { count: found.length })}⟩`;
    parts.push(html`<mark>${shown}</mark>`);
    from = index + found.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
