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
 * Writes the TypeScript of a page, with `replacements` made in it, into files, each under the name in its first line, where the packages of this repository are found and
 * `countersign/client` and `countersign/policy` are what the package would be.
 */
export async function writeSnippets(page: string, replacements: Readonly<Record<string, string>> = {}): Promise<Snippets> {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.cache/docs-'));
  const files = fencesIn(page)
    .filter(({ language }) => language === 'ts')
    .map(({ text, line }) => {
      const [, name] = /^\/\/ ([\w.-]+\.ts)\n/.exec(text) ?? [];
      if (name === undefined) throw new Error(`${page}:${line} must name its file in its first line.`);
      return { name, text };
    });
  for (const { name, text } of files) await writeFile(path.join(folder, name), replaceAll(text, replacements));
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const countersign = path.join(folder, 'node_modules/countersign');
  await mkdir(path.join(countersign, 'adapters'), { recursive: true });
  await writeFile(path.join(countersign, 'package.json'), '{ "type": "module", "exports": { "./*": "./*.js" } }');
  for (const [name, [source]] of Object.entries(entries)) await writeFile(path.join(folder, 'node_modules', `${name}.js`), `export * from ${JSON.stringify(source)};`);
  return { folder, files: files.map(({ name }) => name), remove: () => rm(folder, { recursive: true }) };
}

function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text);
}

/** What the package's entries are in a checkout, as the `paths` of a tsconfig. */
export const entries = {
  'countersign/adapters/ai-sdk': [path.join(root, 'src/adapters/ai-sdk.ts')],
  'countersign/adapters/claude-agent-sdk': [path.join(root, 'src/adapters/claude-agent-sdk.ts')],
  'countersign/adapters/langchain': [path.join(root, 'src/adapters/langchain.ts')],
  'countersign/adapters/openai-agents': [path.join(root, 'src/adapters/openai-agents.ts')],
  'countersign/client': [path.join(root, 'src/sdk/index.ts')],
  'countersign/policy': [path.join(root, 'src/policy/index.ts')],
} as const;
