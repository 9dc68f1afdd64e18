import type { PolicyEvent } from '../policy/event.ts';

const previewCharsMax = 1024;
const messageCharsMax = 4096;

/** What an approver reads first of an event: the JSON text of its data, with nothing hidden in it and a mark where it is cut. */
export function contentPreviewOf(event: PolicyEvent): string {
  return truncate(visible(JSON.stringify(event.data)), previewCharsMax);
}

/** A policy's words, with nothing hidden in them. Line breaks and tabs stay. */
export function visibleMessage(message: string): string {
  return truncate(visible(message), messageCharsMax);
}

/** Control, format, bidirectional, zero-width, tag and variation characters, and letters that are drawn as nothing. */
const deceptive = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/gu;

function visible(text: string): string {
  return text.replace(deceptive, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

function truncate(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, charsMax - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
