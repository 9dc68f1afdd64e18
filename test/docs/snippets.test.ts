import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fencesIn, root } from './fences.ts';
import { pages } from './pages.ts';
import { run } from './program.ts';
import { entries, writeSnippets } from './write-snippets.ts';

const withTypeScript = pages.filter((page) => fencesIn(page).some(({ language }) => language === 'ts'));

it('has TypeScript for agents, approvers, authors of policies and operators', () => {
  expect(withTypeScript.toSorted()).toEqual(['README.md', 'docs/adapters.md', 'docs/agents.md', 'docs/approvals.md', 'docs/client.md', 'docs/model-judges.md', 'docs/operations.md', 'docs/writing-policies.md']);
});

it('compiles all TypeScript of the documentation, strictly', { timeout: 120_000 }, async () => {
  const snippets = await Promise.all(withTypeScript.map((page) => writeSnippets(page)));
  const [first = ''] = snippets.map(({ folder }) => folder);
  try {
    const tsconfig = {
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: { paths: entries, typeRoots: [path.join(root, 'node_modules/@types')] },
      include: snippets.map(({ folder }) => path.join(folder, '*.ts')),
    };
    await writeFile(path.join(first, 'tsconfig.json'), JSON.stringify(tsconfig));
    const tsc = run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '--project', first], { cwd: first });
    expect(await tsc.exit, tsc.output).toBe(0);
  } finally {
    for (const { remove } of snippets) await remove();
  }
});
