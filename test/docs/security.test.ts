import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startCli } from '../support/run-cli.ts';
import { clientOf } from './client.ts';
import { fenceWith } from './fences.ts';

const page = 'docs/security.md';

/** Of each command line in the page's block: its words after the program's name, with the file of this test instead of the page's, and what the page shows of its output. */
const commands = fenceWith(page, '$ countersign audit verify')
  .text.split('\n$ countersign ')
  .map((part) => part.replace('$ countersign ', ''))
  .map((part) => part.split('\n'))
  .map(([words = '', ...shown]) => ({ words: words.replace(/ > \S+$/, '').split(' '), shown: shown.join('\n') }));

const withoutFigures = (text: string) => text.replace(/[0-9a-f]{64}/, '(hash)').replaceAll(/\d+/g, '(number)');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'countersign-docs-'));
  const server = startCli(['serve', '--port', '0', '--database', 'sqlite:prod.db'], { cwd: directory });
  const client = clientOf((await server.ready).replace('countersign ready ', ''));
  const sessionId = await client.startAskingSession();
  const call = client.ask('mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ... on Evaluation { verdict } } }', { input: { sessionId, event: { toolCall: { name: 'Bash', arguments: { command: 'ls' } } } } });
  await client.resolve({ elicitationId: (await client.pendingOf(sessionId)).id, action: 'ACCEPT' });
  expect(await call).toEqual({ verdict: 'ALLOW' });
  const { edges } = await client.ask(fenceWith(page, 'auditLog(').text);
  expect(edges.map(({ node }: { node: { action: string } }) => node.action)).toEqual(['ELICITATION_RESOLVED']);
  server.process.kill('SIGTERM');
  await server.result;
}, 60_000);
afterAll(() => rm(directory, { recursive: true }));

describe('the commands of the security page', () => {
  const run = (word: string) => {
    const command = commands.find(({ words }) => words.includes(word));
    if (!command) throw new Error(`The page has no ${word}.`);
    return { ...command, result: runCli(command.words, { cwd: directory }) };
  };

  it('prove that the log is whole, in the words that the page shows', async () => {
    const { shown, result } = run('verify');
    const { code, stdout } = await result;
    expect(code).toBe(0);
    expect(withoutFigures(stdout.trim())).toBe(withoutFigures(shown));
  });

  it('export it as JSON lines, one an entry', async () => {
    const { stdout, code } = await run('export').result;
    expect(code).toBe(0);
    const actions = stdout.trim().split('\n').map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions).toEqual(expect.arrayContaining(['POLICY_CREATED', 'ELICITATION_REQUESTED', 'ELICITATION_RESOLVED']));
  });
});
