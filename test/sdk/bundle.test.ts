import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown, type RolldownOptions } from 'rolldown';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../docs/program.ts';
import { startAskingSession, startWorld } from './world.ts';

const entry = path.join(import.meta.dirname, '../../src/sdk/index.ts');

async function bundle(options: RolldownOptions): Promise<{ code: string; imports: string[] }> {
  const build = await rolldown({ input: entry, ...options });
  const { output } = await build.generate({ format: 'esm', minify: true });
  const chunks = output.filter((part) => part.type === 'chunk');
  expect(chunks).toHaveLength(1);
  return { code: chunks[0]?.code ?? '', imports: chunks.flatMap(({ imports }) => imports) };
}

describe('the client, bundled', () => {
  it('has at most 20 kB without its two libraries, gzipped, and needs nothing else', async () => {
    const { code, imports } = await bundle({ platform: 'neutral', external: ['graphql-request', 'graphql-ws'] });
    expect(imports.toSorted()).toEqual(['graphql-request', 'graphql-ws']);
    expect(gzipSync(code).length).toBeLessThanOrEqual(20_000);
  });

  it('takes in no module of Node where a page bundles it with its libraries, and gates a tool there', async () => {
    const { code, imports } = await bundle({ platform: 'browser' });
    expect(imports).toEqual([]);

    // What browsers have, and nothing that only Node has.
    const world = await startWorld();
    const folder = await mkdtemp(path.join(tmpdir(), 'countersign-bundle-'));
    onTestFinished(async () => {
      await world.end();
      await rm(folder, { recursive: true });
    });
    const session = await startAskingSession(world.connect());
    await writeFile(path.join(folder, 'client.mjs'), code);
    const page = `
      const { log } = console;
      for (const name of ['process', 'require', 'setImmediate', 'global']) delete globalThis[name];
      const { createClient } = await import('./client.mjs');
      const client = createClient({ url: ${JSON.stringify(world.server.url)} });
      log(await client.gate(({ a }) => a + 1, { session: ${JSON.stringify(session)}, name: 'add' })({ a: 1 }));
    `;
    await writeFile(path.join(folder, 'page.mjs'), page);
    const program = run(process.execPath, ['page.mjs'], { cwd: folder });
    expect(await program.exit, program.output).toBe(0);
    expect(program.output).toBe('2\n');
  });
});
