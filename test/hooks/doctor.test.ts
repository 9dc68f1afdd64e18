import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hosts } from '../../src/hooks/index.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { newHome, program, startProgram } from './world.ts';

let server: TestServer;
let home: string;

beforeEach(async () => {
  server = await startTestServer();
  home = await newHome();
});

afterEach(async () => {
  await server.remove();
});

const env = () => ({ HOME: home, COUNTERSIGN_URL: server.baseUrl });
const countersign = (...words: string[]) => startProgram([...program, ...words], { stdin: '', env: env(), cwd: home }).result;

async function doctor(...words: string[]) {
  const { code, stdout, stderr } = await countersign('doctor', '--json', ...words);
  return { code, stderr, report: stdout === '' ? null : JSON.parse(stdout) };
}

describe('doctor', { timeout: 180_000 }, () => {
  it('proves for every host that a denied call does not run, whatever breaks', async () => {
    for (const { name } of hosts) expect(await countersign('hook', 'install', name)).toMatchObject({ code: 0 });
    const { code, report } = await doctor();
    expect(report.hosts.flatMap(({ host, cells }: { host: string; cells: { fault: string; runs: boolean }[] }) => cells.filter(({ runs }) => runs).map(({ fault }) => `${host}: ${fault}`))).toEqual([]);
    expect(report.hosts.map(({ host, problems, cells }: { host: string; problems: string[]; cells: object[] }) => [host, problems, cells.length])).toEqual(hosts.map(({ name }) => [name, [], 9]));
    expect([code, report.safe, report.server]).toEqual([0, true, { url: server.url, caller: 'Local user', problem: null }]);
  });

  it('names the fault under which a host would run it, once the guard is taken out of the settings', async () => {
    await countersign('hook', 'install', 'codex');
    const file = path.join(home, '.codex/hooks.json');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/ \|\| \{.*?\} #/g, ' #'));
    const { code, report } = await doctor('codex');
    const [{ cells, problems }] = report.hosts;
    expect(cells.filter(({ runs }: { runs: boolean }) => runs).map(({ fault }: { fault: string }) => fault)).toEqual(['missing binary', 'killed hook']);
    expect(problems).toContain('hooks.PreToolUse is not as it is installed: run countersign hook install codex');
    expect([code, report.safe]).toEqual([1, false]);

    const { stdout } = await countersign('doctor', 'codex');
    expect(stdout).toMatch(/drill {5}missing binary +RUNS\n/);
    expect(stdout).toContain('NOT SAFE');
  });

  it.each(['codex', 'opencode'])('sees that the command in the settings of %s does not start any more, so that everything is denied', async (name) => {
    await countersign('hook', 'install', name, '--command', path.join(home, 'moved'));
    expect(await doctor(name)).toMatchObject({ code: 1, report: { hosts: [{ problems: [expect.stringContaining('does not start, so everything is denied')] }] } });
  });

  it('sees that all hooks are turned off', async () => {
    await countersign('hook', 'install', 'copilot');
    const file = path.join(home, '.copilot/hooks/countersign.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('{', '{ "disableAllHooks": true,'));
    expect(await doctor('copilot')).toMatchObject({ code: 1, report: { hosts: [{ problems: [expect.stringContaining('disableAllHooks turns all hooks off')] }] } });
  });

  it('says of a host without our hook that nothing is asked, and of an absent one that it is absent', async () => {
    await mkdir(path.join(home, '.claude'));
    expect(await doctor()).toMatchObject({ code: 1, report: { safe: false, hosts: [{ host: 'claude-code', problems: [expect.stringContaining('it has no hook')], cells: [] }], absent: [] } });
    expect(await doctor('cursor')).toMatchObject({ code: 1, report: { hosts: [], absent: ['cursor'] } });
  });

  it('says that the server is away, or refuses the credential', async () => {
    await mkdir(path.join(home, '.claude'));
    await server.close();
    expect(await doctor()).toMatchObject({ code: 1, report: { server: { problem: expect.stringContaining('cannot be reached') } } });
  });

  it('takes a name that it does not know for wrong use', async () => {
    expect(await doctor('emacs')).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no hook for "emacs"') });
  });
});
