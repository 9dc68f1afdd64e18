import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteMigrations } from '../../src/entities/migrations/sqlite/index.ts';
import { unsuitableNode } from '../../src/cli/unsuitable-node.ts';
import { runCli } from '../support/run-cli.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'countersign-cli-'));
});
afterAll(() => rm(cwd, { recursive: true }));

const run = (...args: string[]) => runCli(args, { cwd });
const oneLine = /^countersign: [^\n]+\n$/;

describe('every command', () => {
  it.each([[], ['serve'], ['migrate'], ['config'], ['policy'], ['policy', 'list'], ['policy', 'test'], ['policy', 'simulate'], ['inbox'], ['mcp']])('explains itself: %s %s', async (...words) => {
    const { code, stdout, stderr } = await run(...words.filter(Boolean), '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: countersign /);
  });

  it.each([
    [['serv'], "countersign: unknown command 'serv' (Did you mean serve?)\n"],
    [['serve', '--prot', '1'], "countersign: unknown option '--prot' (Did you mean --port?)\n"],
    [['serve', '--port'], "countersign: option '--port <number>' argument missing\n"],
    [['policy', 'list', 'no.such'], 'countersign: There is no handler "no.such": countersign policy list names them all\n'],
    [['config', '--config', 'nope.json'], 'countersign: There is no configuration file nope.json\n'],
  ])('that is used wrongly says so in one line: %s', async (args, stderr) => {
    expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('without a word of what to do shows help', async () => {
    const { code, stdout, stderr } = await run();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: countersign /);
  });

  it('has the version of the package', async () => {
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a Node that is too old', () => {
  it.each(['20.20.2', '22.17.1', '18.0.0'])('%s is refused in one line that says what to do', (version) => {
    expect(unsuitableNode(version)).toBe(`Node ${version} is too old: install Node 22.18 or newer, or start it with npx --package node@24 --package countersign countersign`);
  });

  it.each(['22.18.0', '23.0.0', '24.21.0'])('but not %s', (version) => {
    expect(unsuitableNode(version)).toBeNull();
  });
});

describe('config', () => {
  it('prints the effective configuration', async () => {
    await writeFile(path.join(cwd, 'mine.json'), '{ "graceSeconds": 5 }');
    const { code, stdout } = await runCli(['config', '--json', '--config', 'mine.json'], { cwd, env: { COUNTERSIGN_PORT: '5000' } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ port: 5000, graceSeconds: 5, host: '127.0.0.1' });
  });

  it('names a wrong variable', async () => {
    expect(await runCli(['config'], { cwd, env: { COUNTERSIGN_PROT: '1' } })).toMatchObject({ code: 2, stderr: expect.stringMatching(oneLine) });
  });
});

describe('policy list', () => {
  it('is a table', async () => {
    const { stdout } = await run('policy', 'list');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^NAME +KIND +TITLE$/);
    expect(rows).toContainEqual(expect.stringMatching(/^safety\.ask_on_os_tools +CALLABLE +\S.*$/));
  });

  it('is JSON for programs', async () => {
    const handlers = JSON.parse((await run('policy', 'list', '--json')).stdout);
    expect(handlers).toContainEqual({
      name: 'safety.max_tool_calls_per_session',
      kind: 'FACTORY',
      title: expect.any(String),
      description: expect.any(String),
      phases: ['TOOL_CALL'],
      paramsSchema: expect.objectContaining({ type: 'object' }),
    });
  });

  it('shows one in full, also by its longer name', async () => {
    const { stdout } = await run('policy', 'list', 'omnigent.policies.builtins.safety.max_tool_calls_per_session');
    expect(stdout).toMatch(/^safety\.max_tool_calls_per_session \(FACTORY\)[^]*\n {4}limit \(integer, default 100\)/);
  });
});

describe('migrate', () => {
  const names = sqliteMigrations.map(({ name }) => name);

  it('brings the schema up, and says what is applied', async () => {
    const database = ['--database', 'sqlite:migrate.db'];
    expect(await run('migrate', '--status', ...database)).toMatchObject({ code: 1, stdout: names.map((name) => `${name}  not applied\n`).join('') });
    expect(existsSync(path.join(cwd, 'migrate.db'))).toBe(false);
    expect(await run('migrate', ...database)).toMatchObject({ code: 0, stdout: names.map((name) => `applied ${name}\n`).join('') });
    expect(await run('migrate', ...database)).toMatchObject({ code: 0, stdout: 'up to date\n' });
    expect(JSON.parse((await run('migrate', '--json', ...database)).stdout)).toEqual({ database: 'sqlite:migrate.db', applied: [] });
    const { code, stdout } = await run('migrate', '--status', '--json', ...database);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).migrations).toEqual(names.map((name) => ({ name, executedAt: expect.any(String) })));
  });

  it('refuses what is no database', async () => {
    await writeFile(path.join(cwd, 'letter.txt'), 'Dear sir or madam, '.repeat(100));
    expect(await run('migrate', '--database', 'sqlite:letter.txt')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'countersign: sqlite:letter.txt is not a database: give another file with --database sqlite:<file>\n',
    });
  });
});
