import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../support/start-server.ts';
import { root } from './fences.ts';
import { run } from './program.ts';

it('leads a project that has schema.graphql alone to types of its own, and to an approval', { timeout: 120_000 }, async () => {
  // Below the repository, so that it finds its packages.
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.cache/codegen-consumer-'));
  const server = await startTestServer();
  onTestFinished(async () => {
    await server.remove();
    await rm(folder, { recursive: true });
  });
  await cp(path.join(root, 'examples/codegen-consumer'), folder, { recursive: true });
  await cp(path.join(root, 'schema.graphql'), path.join(folder, 'schema.graphql'));

  const end = async (program: string, ...args: string[]) => {
    const running = run(process.execPath, [path.join(root, 'node_modules', program), ...args], { cwd: folder });
    expect(await running.exit, running.output).toBe(0);
  };
  await end('@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.ts');
  await end('typescript/bin/tsc');
  const program = run(process.execPath, ['main.ts'], { cwd: folder, env: { COUNTERSIGN_URL: server.url } });
  expect(await program.exit, program.output).toBe(0);
  expect(program.output).toBe('ASK ask: The agent wants to use Bash: ls\nACCEPTED\nALLOW\n');
});
