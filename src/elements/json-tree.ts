import { css, html, nothing, type TemplateResult } from 'lit';
import { isObject } from './judged-event.ts';
import type { Words } from './messages.ts';
import { isCut, visibleText } from './visible-text.ts';

/** How much of a value a small place shows. */
export interface TreeBounds {
  readonly charsMax: number;
  readonly linesMax: number;
  readonly itemsMax: number;
}

const nameCharsMax = 80;

export const unbounded: TreeBounds = { charsMax: Infinity, linesMax: Infinity, itemsMax: Infinity };

/** A JSON value as a readable tree, every character of it to be seen. What `bounds` leave out is said where it is missing. */
export function jsonTree(value: unknown, words: Words, bounds: TreeBounds = unbounded): TemplateResult {
  if (typeof value === 'string') return html`<span class="text">${visibleText(value, words, charsOf(value, bounds))}</span>`;
  const members = membersOf(value);
  if (members === null) return html`<span class="atom">${JSON.stringify(value)}</span>`;
  if (members.length === 0) return html`<span class="atom">${Array.isArray(value) ? '[]' : '{}'}</span>`;
  const shown = members.slice(0, bounds.itemsMax);
  const rest = members.length - shown.length;
  return html`<ul class="tree">
    ${shown.map(([name, member]) => html`<li><span class="name">${visibleText(name, words, nameCharsMax)}</span> ${jsonTree(member, words, bounds)}</li>`)}
    ${rest > 0 ? html`<li><mark class="cut">⟨+ ${rest}⟩</mark></li>` : nothing}
  </ul>`;
}

/** Whether these bounds leave anything of the value out. */
export function exceeds(value: unknown, words: Words, bounds: TreeBounds): boolean {
  if (typeof value === 'string') return isCut(value, words, charsOf(value, bounds));
  const members = membersOf(value);
  return members !== null && (members.length > bounds.itemsMax || members.some(([name, member]) => isCut(name, words, nameCharsMax) || exceeds(member, words, bounds)));
}

function membersOf(value: unknown): [string, unknown][] | null {
  if (Array.isArray(value)) return value.map((member, index) => [String(index), member]);
  return isObject(value) ? Object.entries(value) : null;
}

/** As many characters as both bounds allow: a text of many short lines is long too. */
function charsOf(text: string, { charsMax, linesMax }: TreeBounds): number {
  if (linesMax === Infinity) return charsMax;
  let at = -1;
  for (let line = 0; line < linesMax; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return charsMax;
  }
  return Math.min(charsMax, at);
}

export const jsonTreeStyles = css`
  .tree {
    display: grid;
    gap: 3px;
    font: 12.5px/1.55 var(--mono);
  }
  .tree .tree {
    margin-inline-start: 4px;
    padding-inline-start: 12px;
    border-inline-start: 1px solid var(--line);
  }
  .tree li {
    min-width: 0;
  }
  .name {
    color: var(--muted);
  }
  .name::after {
    content: ':';
  }
  .text {
    font: 12.5px/1.55 var(--mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: isolate;
  }
  .atom {
    color: var(--accent);
    font: 12.5px/1.55 var(--mono);
  }
  mark {
    padding: 0 3px;
    border-radius: 3px;
    background: var(--warn-soft);
    color: var(--warn);
    font: 600 11.5px/1.4 var(--mono);
  }
`;
