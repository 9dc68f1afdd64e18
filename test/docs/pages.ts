import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './fences.ts';

/** Every page of the repository, from its root. */
export const pages: readonly string[] = [...markdownIn(''), ...markdownIn('docs'), ...markdownIn('docs/adr')];

function markdownIn(folder: string): string[] {
  return readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md')).map((name) => path.join(folder, name));
}
