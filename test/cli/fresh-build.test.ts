import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, rm, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');

/** What `countersign` would run in a checkout. */
async function chosen(checkout: string): Promise<string> {
  const program = `import { freshBuild } from ${JSON.stringify(path.join(checkout, 'src/cli/fresh-build.ts'))}; console.log(freshBuild() ?? 'the source');`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return stdout.trim();
}

describe('a checkout', { timeout: 120_000 }, () => {
  let checkout: string;

  beforeEach(async () => {
    checkout = await mkdtemp(path.join(tmpdir(), 'countersign-checkout-'));
    for (const part of ['src', '.config', 'package.json', 'package-lock.json', 'tsconfig.json']) await cp(path.join(root, part), path.join(checkout, part), { recursive: true });
    await symlink(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
  });
  afterEach(() => rm(checkout, { recursive: true, force: true }));

  const build = () => run('npm', ['run', '-s', 'bundle'], { cwd: checkout });

  it('runs the source before anything was built', async () => {
    expect(await chosen(checkout)).toBe('the source');
  });

  it('runs what was built from this source, and the source again once a file of it has changed, has come or has another time', async () => {
    await build();
    expect(await chosen(checkout)).toBe(path.join(checkout, 'dist/cli/run-command.js'));
    const { stdout } = await run(process.execPath, [path.join(checkout, 'src/cli/main.ts'), 'policy', 'list']);
    expect(stdout).toContain('safety.ask_on_os_tools');

    await appendFile(path.join(checkout, 'src/policy/evaluate.ts'), '\n');
    expect(await chosen(checkout)).toBe('the source');

    await build();
    expect(await chosen(checkout)).not.toBe('the source');
    await mkdir(path.join(checkout, 'src/policy/new'));
    await appendFile(path.join(checkout, 'src/policy/new/new.ts'), '');
    expect(await chosen(checkout)).toBe('the source');

    await build();
    await utimes(path.join(checkout, 'package-lock.json'), 1, 1);
    expect(await chosen(checkout)).toBe('the source');
  });
});
