import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A fenced block of a page: ```ts and what follows. */
export interface Fence {
  /** The page, from the root of the repository. */
  readonly page: string;
  readonly language: string;
  /** Without the indentation of a list that it stands in. */
  readonly text: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
}

export const root = path.join(import.meta.dirname, '../..');

export function readPage(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}

export function fencesIn(page: string): Fence[] {
  const lines = readPage(page).split('\n');
  const fences: Fence[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent = '', language = ''] = /^( *)```(\w+)$/.exec(lines[index] ?? '') ?? [];
    if (language === '') continue;
    const end = lines.indexOf(`${indent}\`\`\``, index + 1);
    if (end < 0) throw new Error(`${page}:${index + 1} opens a block that is never closed.`);
    fences.push({ page, language, text: lines.slice(index + 1, end).map((line) => line.slice(indent.length)).join('\n'), line: index + 1 });
    index = end;
  }
  return fences;
}

/** The only block of the page in which this stands. */
export function fenceWith(page: string, text: string): Fence {
  const [fence, ...others] = fencesIn(page).filter((candidate) => candidate.text.includes(text));
  if (!fence || others.length > 0) throw new Error(`${page} has ${others.length + (fence ? 1 : 0)} blocks with ${JSON.stringify(text)}, where one is wanted.`);
  return fence;
}
