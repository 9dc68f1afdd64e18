import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fencesIn, root } from './fences.ts';

export interface Snippets {
  readonly folder: string;
  /** The names of the files. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

/**
 * Writes the TypeScript of a page into files, each under the name in its first line, where the packages of this repository are found and
 * `countersign/policy` is what the package would be.
 */
export async function writeSnippets(page: string): Promise<Snippets> {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.cache/docs-'));
  const files = fencesIn(page)
    .filter(({ language }) => language === 'ts')
    .map(({ text, line }) => {
      const [, name] = /^\/\/ ([\w.-]+\.ts)\n/.exec(text) ?? [];
      if (name === undefined) throw new Error(`${page}:${line} must name its file in its first line.`);
      return { name, text };
    });
  for (const { name, text } of files) await writeFile(path.join(folder, name), text);
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const countersign = path.join(folder, 'node_modules/countersign');
  await mkdir(countersign, { recursive: true });
  await writeFile(path.join(countersign, 'package.json'), '{ "type": "module", "exports": { "./policy": "./policy.js" } }');
  await writeFile(path.join(countersign, 'policy.js'), `export * from ${JSON.stringify(policy)};`);
  return { folder, files: files.map(({ name }) => name), remove: () => rm(folder, { recursive: true }) };
}

/** What `countersign/policy` is in a checkout. */
export const policy = path.join(root, 'src/policy/index.ts');
