import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveElicitation } from '../../../src/gate/resolve-elicitation.ts';
import { bash, hold, startAskingSession, type Held } from '../../support/journey.ts';
import { runCli } from '../../support/run-cli.ts';
import { startTestServer, type TestServer } from '../../support/start-server.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let server: TestServer;
let folder: string;
const terminals: Terminal[] = [];

beforeEach(async () => {
  server = await startTestServer();
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-inbox-'));
});
afterEach(async () => {
  terminals.splice(0).forEach((terminal) => terminal.kill());
  await server.remove();
  await rm(folder, { recursive: true });
});

async function ask(command: string, agent = 'robot'): Promise<Held> {
  const gate = server.openGate();
  const session = await startAskingSession(gate, { agent: { name: `${agent} ${Math.random().toString(36).slice(2, 8)}` } });
  return hold(server.openGate(), session, bash(session, command));
}

async function open({ columns = 80, rows = 24, env = {} }: { columns?: number; rows?: number; env?: Record<string, string> } = {}): Promise<Terminal> {
  const terminal = openTerminal(['inbox'], { columns, rows, env: { COUNTERSIGN_URL: server.url, ...env } });
  terminals.push(terminal);
  await terminal.shows('Countersign');
  return terminal;
}

/** What stands in the list, top to bottom. */
const listed = (terminal: Terminal) => terminal.lines().filter((line) => /^[> ][* ]robot/.test(line));

describe.each([
  [80, 24],
  [40, 12],
])('an inbox of %i by %i', { timeout: 90_000 }, (columns, rows) => {
  it('shows what comes, accepts it by one key and leaves by another', async () => {
    const terminal = await open({ columns, rows });
    await terminal.shows('Nothing waits for a decision');
    const { answer } = await ask('ls -la');
    await terminal.shows('1 pending');
    await terminal.shows('ls -la');
    expect(terminal.lines()).toHaveLength(rows);
    expect(Math.max(...terminal.lines().map((line) => line.length))).toBeLessThanOrEqual(columns);
    terminal.type('a');
    expect(await answer).toMatchObject({ verdict: 'ALLOW', decidedBy: 'PERSON' });
    await terminal.shows('Accepted.');
    await terminal.shows('0 pending');
    terminal.type('q');
    expect(await terminal.exit).toBe(0);
    expect(terminal.sent()).toMatch(/\u001b\[\?1049l$/);
  });

  it('declines with a reason that the agent is told', async () => {
    const { answer } = await ask('rm -rf /');
    const terminal = await open({ columns, rows });
    await terminal.shows('1 pending');
    terminal.type('d');
    await terminal.shows('Why?');
    terminal.type('Not on thix\u007fs machine.\r');
    expect(await answer).toMatchObject({ verdict: 'DENY', decidedBy: 'PERSON', reason: 'Not on this machine.' });
    await terminal.shows('Declined.');
  });
});

describe('an inbox', { timeout: 90_000 }, () => {
  it('runs what the approver has written in an editor, once the changes were seen', async () => {
    const editor = path.join(folder, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i "s/rm -rf build/ls build/" "$1"\n');
    await chmod(editor, 0o755);
    const { answer } = await ask('rm -rf build');
    const terminal = await open({ env: { EDITOR: editor } });
    await terminal.shows('1 pending');
    terminal.type('e');
    await terminal.shows('-  "command": "rm -rf build"');
    await terminal.shows('+  "command": "ls build"');
    terminal.type('y');
    expect(await answer).toMatchObject({ verdict: 'ALLOW', data: { name: 'Bash', arguments: { command: 'ls build' } } });
    await terminal.shows('Accepted as edited.');
  });

  it('says what is wrong with an edit, and sends nothing', async () => {
    const editor = path.join(folder, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\necho "{ nonsense" > "$1"\n');
    await chmod(editor, 0o755);
    await ask('ls');
    const terminal = await open({ env: { EDITOR: editor } });
    await terminal.shows('1 pending');
    terminal.type('e');
    await terminal.shows('That is no JSON');
    await terminal.shows('1 pending');
  });

  it('answers all that is marked at once, after a yes', async () => {
    const answers = [await ask('one'), await ask('two'), await ask('three')].map(({ answer }) => answer);
    const terminal = await open();
    await terminal.shows('3 pending');
    terminal.type('x');
    await terminal.shows('1 marked');
    terminal.type('jjx');
    await terminal.shows('2 marked');
    terminal.type('a');
    await terminal.shows('Accept all 2 that are marked?');
    terminal.type('y');
    expect(await answers[0]).toMatchObject({ verdict: 'ALLOW' });
    expect(await answers[2]).toMatchObject({ verdict: 'ALLOW' });
    await terminal.shows('1 pending');
  });

  it('never moves the question under the cursor, whatever comes and goes', async () => {
    const first = await ask('first');
    await ask('second');
    const terminal = await open();
    await terminal.shows('2 pending');
    terminal.type('j');
    await terminal.shows(/^>.*second/m);
    const before = listed(terminal).findIndex((line) => line.startsWith('>'));
    await ask('third');
    await terminal.shows('3 pending');
    await resolveElicitation(server.openGate(), { elicitationId: first.elicitation.id, action: 'DECLINE' });
    await terminal.shows(/declined by/);
    expect(listed(terminal).findIndex((line) => line.startsWith('>'))).toBe(before);
    await terminal.shows(/^>.*second/m);
  });

  it('says at once what was decided elsewhere, and does not decide it again', async () => {
    const { elicitation } = await ask('ls');
    const terminal = await open();
    await terminal.shows('1 pending');
    await resolveElicitation(server.openGate(), { elicitationId: elicitation.id, action: 'DECLINE' });
    await terminal.shows('0 pending');
    await terminal.shows(/declined by/);
    terminal.type('a');
    await terminal.shows(/It is declined by .* already\./);
  });

  it('shows hostile text for what it is, and sends none of it to the terminal', async () => {
    const escape = '\u001b[2J\u001b]0;owned\u0007\u009b31m';
    await ask(`echo ${escape}\r\n\u202ecod.exe\u2066 \u200b${'x'.repeat(3000)}THE END`);
    const terminal = await open();
    await terminal.shows('\\u{202e}cod.exe');
    await terminal.shows('\\u001b[2J');
    expect(terminal.sent()).not.toMatch(/\]0;owned\u0007|\u009b|\u202e|\u2066|\u200b/);
    await terminal.shows(/▼ \d+ more lines/);
    for (let page = 0; page < 12; page += 1) terminal.type(' ');
    await terminal.shows('THE END');
  });

  it('fits itself to a terminal that is resized', async () => {
    await ask('a-rather-long-command --with --many --options');
    const terminal = await open();
    await terminal.shows('1 pending');
    terminal.resize(40, 12);
    await terminal.shows(/^>.{1,39}$/m);
    expect(terminal.lines()).toHaveLength(12);
    expect(terminal.lines()[0]).toMatch(/^Countersign/);
    terminal.resize(100, 30);
    await terminal.shows(/q quit$/m);
    expect(terminal.lines()[29]).toMatch(/^\? help/);
  });

  it('says that the connection is lost, and is up to date when it is back', async () => {
    const { port } = new URL(server.url);
    const { elicitation } = await ask('ls');
    const terminal = await open();
    await terminal.shows('1 pending');
    const before = server;
    await server.close();
    await terminal.shows('CONNECTION LOST');
    server = await startTestServer({ port: Number(port), database: before.config.database });
    try {
      await terminal.lacks('CONNECTION LOST');
      await terminal.shows('1 pending');
      terminal.type('a');
      await terminal.shows('Accepted.');
      expect((await server.openGate().em.getConnection().execute<{ action: string }[]>('select action from elicitation where id = ?', [elicitation.id]))[0]).toEqual({ action: 'ACCEPT' });
    } finally {
      await before.remove();
    }
  });

  it('explains its keys', async () => {
    const terminal = await open();
    terminal.type('?');
    await terminal.shows('accept exactly what is shown');
    terminal.type('z');
    await terminal.shows('Nothing waits');
  });
});

describe('an inbox that is no terminal', { timeout: 60_000 }, () => {
  const run = (...words: string[]) => runCli(['inbox', ...words], { cwd: folder, env: { COUNTERSIGN_URL: server.url } });

  it('prints what is pending as JSON, and as lines', async () => {
    const { elicitation } = await ask('ls\u202e');
    const { code, stdout } = await run('--once', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ id: elicitation.id, status: 'PENDING', event: expect.objectContaining({ target: 'Bash' }) })]);
    expect(await run('--once')).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^${elicitation.id}  \\S+  robot \\S+  Bash  .*ls\\\\u\\{202e\\}\n$`)) });
  });

  it('says that nothing is', async () => {
    expect(await run('--once')).toEqual({ code: 0, stdout: 'Nothing waits for a decision.\n', stderr: '' });
    expect(await run('--once', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it.each([
    [[], 'The inbox needs a terminal: countersign inbox --once prints what is pending, with --json for programs'],
    [['--json'], '--json goes with --once, which prints what is pending and ends'],
  ])('says of %j what would be right', async (words, message) => {
    expect(await run(...words)).toEqual({ code: 2, stdout: '', stderr: `countersign: ${message}\n` });
  });
});
