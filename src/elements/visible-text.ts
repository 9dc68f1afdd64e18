import { html, type TemplateResult } from 'lit';
import type { Words } from './messages.ts';

/** Characters that are not seen, or that change how others are seen; and runs of blanks that push what follows out of sight. */
const hidden = /(?<deceptive>(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}⠀\u{1d159}])|(?<blanks>[ \t]{17,}|\n{4,}|(?:[ \t]*\n){6,})/gu;

/** Of a text that is cut, so much is shown of its end: what matters is often there. */
const tailShare = 0.3;

/** A text, every character of it to be seen: hidden ones by their code, long runs of blanks by their number. `charsMax`: of more, the middle is left out, and it says so. */
export function visibleText(text: string, { say }: Words, charsMax = Infinity): TemplateResult {
  return html`${withoutMiddle(partsOf(text, say), { charsMax, say }).map(({ text: shown, mark }) => (mark === null ? shown : html`<mark class=${mark}>${shown}</mark>`))}`;
}

/** Whether that leaves anything out. */
export function isCut(text: string, { say }: Words, charsMax: number): boolean {
  return lengthOf(partsOf(text, say)) > charsMax;
}

/** Of what is shown: marked is what stands there for something else. */
interface Part {
  readonly text: string;
  readonly mark: 'hidden' | 'cut' | null;
}

function partsOf(text: string, say: Words['say']): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: found, index, groups } of text.matchAll(hidden)) {
    if (index > from) parts.push({ text: text.slice(from, index), mark: null });
    const shown = groups?.['blanks'] === undefined ? `\\u{${found.codePointAt(0)?.toString(16) ?? ''}}` : `⟨${say('blanks', { count: found.length })}⟩`;
    parts.push({ text: shown, mark: 'hidden' });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), mark: null });
  return parts;
}

/** Once runs of blanks are folded: they must not push out of sight what stands behind them. */
function withoutMiddle(parts: readonly Part[], { charsMax, say }: Pick<Words, 'say'> & { readonly charsMax: number }): readonly Part[] {
  if (lengthOf(parts) <= charsMax) return parts;
  const tailMax = Math.floor(charsMax * tailShare);
  const head = within(parts, charsMax - tailMax, (text, room) => text.slice(0, room));
  const tail = within(parts.toReversed(), tailMax, (text, room) => text.slice(text.length - room)).toReversed();
  const leftOut = lengthOf(parts) - lengthOf(head) - lengthOf(tail);
  return [...head, { text: `⟨${say('charactersLeftOut', { count: leftOut.toLocaleString('en') })}⟩`, mark: 'cut' }, ...tail];
}

function within(parts: readonly Part[], charsMax: number, cut: (text: string, room: number) => string): Part[] {
  const taken: Part[] = [];
  let room = charsMax;
  for (const part of parts) {
    if (part.text.length > room) {
      if (part.mark === null) taken.push({ ...part, text: cut(part.text, room) });
      break;
    }
    taken.push(part);
    room -= part.text.length;
  }
  return taken;
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0);
}
