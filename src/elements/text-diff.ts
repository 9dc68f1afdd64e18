import { structuredPatch } from 'diff';
import { css, html, nothing, type TemplateResult } from 'lit';
import { isObject } from './judged-event.ts';
import type { Words } from './messages.ts';
import { visibleText } from './visible-text.ts';

/** A change of a text: of a file, or of an argument. */
export interface TextChange {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** What an edit costs to compare: of texts that differ in more, everything is shown as removed and added. */
const editsMax = 2000;

/** A change line by line, with three lines around it. */
export function textDiff({ title, before, after }: TextChange, words: Words): TemplateResult {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: editsMax });
  const lines = patch ? patch.hunks.flatMap((hunk, index) => [...(index > 0 ? ['⋯'] : []), ...hunk.lines.filter((line) => !line.startsWith('\\'))]) : [...prefixed('-', before), ...prefixed('+', after)];
  return html`<figure class="diff">
    <figcaption class="mono">${visibleText(title, words, 300)}</figcaption>
    <div class="lines" tabindex="0" role="group" aria-label=${title}>
      ${lines.map((line) => html`<div class=${kindOf(line)}><span class="sign">${kindOf(line) === 'same' ? nothing : line[0]}</span>${visibleText(line.slice(1), words)}</div>`)}
    </div>
  </figure>`;
}

/** The changes of files that a call's arguments describe, in the words of the agents that we know; none where they describe none. */
export function fileChanges(args: Readonly<Record<string, unknown>>): readonly TextChange[] {
  const file = textOf(args, ['file_path', 'path', 'filename', 'file', 'target_file', 'notebook_path']) ?? '';
  const own = changeIn(args, file);
  if (own) return [own];
  const { edits } = args;
  if (Array.isArray(edits)) return edits.filter(isObject).flatMap((edit) => changeIn(edit, file) ?? []);
  const written = file === '' ? null : textOf(args, ['content', 'contents', 'file_text', 'new_source', 'text']);
  return written === null ? [] : [{ title: file, before: '', after: written }];
}

function changeIn(args: Readonly<Record<string, unknown>>, title: string): TextChange | null {
  const before = textOf(args, ['old_string', 'old_str', 'oldText', 'old_text', 'search']);
  const after = textOf(args, ['new_string', 'new_str', 'newText', 'new_text', 'replace']);
  return before === null || after === null ? null : { title, before, after };
}

function textOf(args: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  const found = names.map((name) => args[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : null;
}

function prefixed(sign: string, text: string): string[] {
  return text.split('\n').map((line) => sign + line);
}

function kindOf(line: string): string {
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
}

export const textDiffStyles = css`
  .diff {
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
    overflow: hidden;
  }
  .diff figcaption {
    padding: 4px 10px;
    border-bottom: 1px solid var(--line);
    background: var(--sunken);
    overflow-wrap: anywhere;
  }
  .diff .lines {
    max-height: 420px;
    overflow: auto;
    font: 12.5px/1.55 var(--mono);
  }
  .diff .lines > div {
    padding: 0 10px 0 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .diff .sign {
    display: inline-block;
    width: 22px;
    text-align: center;
    user-select: none;
  }
  .diff .added {
    background: var(--good-soft);
    color: var(--good);
  }
  .diff .removed {
    background: var(--bad-soft);
    color: var(--bad);
  }
`;
