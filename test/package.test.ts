import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);

describe('the package, installed from its tarball in an empty folder', { timeout: 120_000 }, () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'countersign-package-'));
    await run('npm', ['pack', '--pack-destination', folder], { cwd: path.join(import.meta.dirname, '..') });
    const [tarball] = await readdir(folder);
    await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${String(tarball)}`], { cwd: folder });
  }, 300_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('serves, answers a query, and ends with 0 when told to stop', async () => {
    const server = spawn('node_modules/.bin/countersign', ['serve', '--port', '0', '--database', 'sqlite:countersign.db'], {
      cwd: folder,
      env: { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${String(process.env['PATH'])}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void server.kill('SIGKILL'));
    let log = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    const ended = once(server, 'exit');

    const [line] = (await Promise.race([once(createInterface(server.stdout), 'line'), ended])) as unknown[];
    expect(line, log).toMatch(/^countersign ready http:\/\/127\.0\.0\.1:\d+\/graphql$/);

    const response = await fetch(String(line).replace('countersign ready ', ''), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { name } policyRegistry { name } }' }),
    });
    expect(await response.json()).toMatchObject({
      data: { viewer: { name: expect.any(String) }, policyRegistry: expect.arrayContaining([{ name: 'safety.ask_on_os_tools' }]) },
    });

    server.kill('SIGTERM');
    expect(await ended, log).toEqual([0, null]);
  });

  it.each([
    ['the policy engine', "import { evaluate } from 'countersign/policy'; const name: string = evaluate.name; console.log(name);", 'evaluate'],
    ['the client', "import { createClient, type Client } from 'countersign/client'; const client: Client = createClient({ url: 'http://127.0.0.1' }); client.close(); console.log('closed');", 'closed'],
    ['an adapter', "import { toolApproval, type ToolApproval } from 'countersign/adapters/ai-sdk'; const made: (options: never) => ToolApproval = toolApproval; console.log(typeof made);", 'function'],
  ])('gives %s as a library, with its types', async (_, program, output) => {
    await writeFile(path.join(folder, 'program.ts'), program);

    const { stdout } = await run(process.execPath, ['program.ts'], { cwd: folder });
    expect(stdout.trim()).toBe(output);

    const tsc = path.join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
    await run(process.execPath, [tsc, '--noEmit', '--strict', '--module', 'nodenext', 'program.ts'], { cwd: folder });
  });
});
