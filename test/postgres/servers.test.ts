import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationStatus } from '../../src/entities/migrate.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { attachPolicy, bash, eventually, startSession } from '../support/journey.ts';
import { openTestGate } from '../support/open-gate.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { startCluster, type Cluster } from '../support/postgres/cluster.ts';

let cluster: Cluster;
let cwd: string;
beforeAll(async () => {
  cluster = await startCluster();
  cwd = await mkdtemp(path.join(tmpdir(), 'countersign-servers-'));
}, 60_000);
afterAll(async () => {
  await cluster.remove();
  await rm(cwd, { recursive: true });
});

const env = { COUNTERSIGN_SECRET_KEY: 'k'.repeat(32) };

async function create(name: string): Promise<string> {
  const admin = await openDatabase(cluster.urlOf('postgres'));
  await admin.em.getConnection().execute(`create database ${name}`);
  await admin.close();
  return cluster.urlOf(name);
}

describe('servers on PostgreSQL', { timeout: 120_000 }, () => {
  it('start together on an empty database, which one of them brings up to date', async () => {
    const database = await create('together');
    const running = Array.from({ length: 5 }, () => startCli(['serve', '--port', '0', '--database', database], { cwd, env: { ...env, COUNTERSIGN_SERVER_POLICIES: '[{"name":"p","handler":"safety.ask_on_os_tools"}]' } }));
    for (const { ready } of running) expect(await ready).toMatch(/^countersign ready http/);
    for (const { process } of running) process.kill('SIGTERM');
    const results = await Promise.all(running.map(({ result }) => result));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    const applied = results.map(({ stderr }) => (JSON.parse(stderr.split('\n').find((line) => line.includes('"serving"')) ?? '{}') as { migrations: string[] }).migrations.length);
    const orm = await openDatabase(database);
    expect(applied.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, (await migrationStatus(orm)).length]);
    expect(await orm.em.getConnection().execute(`select name from policy`)).toEqual([{ name: 'p' }]);
    await orm.close();
    expect(results.map(({ stderr }) => stderr).join('')).not.toContain('p@ss');
  });

  it('refuse a secret key that is missing or another, with one line', async () => {
    const database = await create('keyed');
    const shown = database.replace(/\/\/.*@/, '//');
    expect(await runCli(['serve', '--port', '0', '--database', database], { cwd })).toEqual({ code: 2, stdout: '', stderr: `countersign: ${shown} needs a secretKey, the same for all of its servers: make one with \`openssl rand -hex 32\`, and give it as COUNTERSIGN_SECRET_KEY\n` });
    const first = startCli(['serve', '--port', '0', '--database', database], { cwd, env });
    await first.ready;
    const other = { COUNTERSIGN_SECRET_KEY: 'o'.repeat(32) };
    const refused = await runCli(['serve', '--port', '0', '--database', database], { cwd, env: other });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^countersign: postgres:\S+ was served with another secretKey: .*\n$/) });
    first.process.kill('SIGTERM');
    await first.result;
    expect((await runCli(['migrate', '--accept-secret-key', '--database', database], { cwd, env: other })).code).toBe(0);
    const second = startCli(['serve', '--port', '0', '--database', database], { cwd, env: other });
    expect(await second.ready).toMatch(/^countersign ready/);
    second.process.kill('SIGTERM');
    await second.result;
  });

  it('are managed by the same commands', async () => {
    const database = await create('managed');
    const command = (...args: string[]) => runCli([...args, '--database', database], { cwd, env });
    expect(await command('migrate', '--status')).toMatchObject({ code: 1, stdout: expect.stringContaining('0001-initial  not applied') });
    expect((await command('migrate')).code).toBe(0);
    expect((await command('keys', 'create', '--role', 'admin', '--name', 'root')).code).toBe(0);
    expect((await command('keys', 'list')).stdout).toContain('root');
    expect(await command('audit', 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('intact: 1 entries') });
    expect((await command('audit', 'export')).stdout).toContain('API_KEY_CREATED');
    const config = await runCli(['config'], { cwd, env: { ...env, COUNTERSIGN_DATABASE: database } });
    expect(config.stdout).toContain('postgres://postgres:********@127.0.0.1');
  });

  it('fail clearly while the database is gone, never allow then, and work again by themselves when it is back', async () => {
    const test = await openTestGate({ database: await create('restarted') });
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { handler: 'safety.max_tool_calls_per_session', params: { limit: 1000 } });
    expect(await evaluatePolicy(test.open(), bash(session))).toMatchObject({ evaluation: { verdict: 'ALLOW' } });
    const during = Array.from({ length: 20 }, () => evaluatePolicy(test.open(), bash(session)).catch((error: unknown) => error));
    await cluster.stop();
    await expect(evaluatePolicy(test.open(), bash(session))).rejects.toThrow();
    const allowed = (await Promise.all(during)).filter((outcome) => !(outcome instanceof Error)).length;
    await cluster.start();
    const outcome = await eventually(() => evaluatePolicy(test.open(), bash(session)).catch(() => null));
    expect(outcome).toMatchObject({ evaluation: { verdict: 'ALLOW' } });
    const [row] = await test.orm.em.getConnection().execute<{ count: number }[]>('select cast(count(*) as int) as count from evaluation');
    expect(row?.count).toBeGreaterThanOrEqual(allowed + 2);
    await test.close();
  });
});

describe('a PostgreSQL that cannot be used is refused with one line, without the password', () => {
  it.each([
    ['where nobody listens', () => 'postgres://u:geheim@127.0.0.1:1/x', 'cannot be reached: look whether it runs there, and whether host and port are right'],
    ['with a wrong password', () => cluster.urlOf('postgres').replace(/:[^:@]*@/, ':geheim@'), 'refuses the password: correct user and password in the URL'],
    ['without the database', () => cluster.urlOf('nowhere'), 'is not there: make it with createdb, or correct its name in the URL'],
    ['of an unknown host', () => 'postgres://u:geheim@nowhere.invalid/x', 'cannot be reached: '],
  ])('%s', async (_, url, message) => {
    const fault = await openDatabase(url()).catch((error: unknown) => error);
    expect(fault).toMatchObject({ name: 'DatabaseFault', message: expect.stringMatching(/^postgres:\/\/[\w.]+:\d+\/\w+ /) });
    expect((fault as Error).message).toContain(message);
    expect((fault as Error).message).not.toMatch(/geheim|p@ss|p%40ss|\n/);
  });
});
