import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askOnAddPolicy, builtinRegistry } from '../../src/policy/index.ts';
import { runCli } from '../support/run-cli.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { clientOf } from './client.ts';
import { fenceWith, readPage } from './fences.ts';

const page = 'docs/policies.md';

describe('the policies that the page attaches', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.remove());

  it('are attached to the server, an agent and a session, and judge in the order that it gives', async () => {
    const client = clientOf(server.url);
    const { id: agentId } = await client.ask('mutation { createAgent(input: { name: "coder" }) { ... on Agent { id } } }');
    const { id: sessionId } = await client.ask(
      'mutation ($agentId: ID!) { createSession(input: { agentId: $agentId, labels: { environment: "staging" } }) { ... on Session { id } } }',
      { agentId },
    );
    for (const line of fenceWith(page, '"no deploys"').text.split('\n')) {
      const variables = JSON.parse(line.replace('agt_…', agentId).replace('ses_…', sessionId));
      expect(await client.ask(fenceWith(page, 'mutation Attach').text, variables)).toMatchObject({ __typename: 'Policy', name: variables.input.name });
    }

    const input = { sessionId, event: { toolCall: { name: 'Bash', arguments: { command: 'ls' } } } };
    const preview = await client.ask(fenceWith(page, 'query Preview').text, { input });
    expect(preview).toMatchObject({ verdict: 'ASK', decidingPolicies: ['ask before OS tools'] });
    expect(preview.steps.map(({ policy, level, outcome }: Record<string, string>) => [policy, level, outcome])).toEqual([
      ['no deploys', 'SESSION', 'ABSTAINED'],
      ['at most 50 calls', 'AGENT', 'ALLOWED'],
      ['ask before OS tools', 'SERVER', 'ASKED'],
      ['__ask_on_add_policy', 'SERVER', 'ABSTAINED'],
    ]);
  });
});

describe('the vectors that the page writes', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'countersign-docs-'));
    await writeFile(path.join(cwd, 'policies.jsonl'), fenceWith(page, '"no-deploys-1"').text);
  });
  afterAll(() => rm(cwd, { recursive: true }));

  it('pass as it says', async () => {
    const [, words = ''] = /^countersign (.*)$/.exec(fenceWith(page, 'policy test').text) ?? [];
    const { code, stdout, stderr } = await runCli(words.split(' '), { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '5 passed, 0 failed\n', stderr: '' });
    expect(readPage(page)).toContain('the last line is `5 passed, 0 failed`');
  });
});

describe('the simulation that the page shows', () => {
  it('denies the second call, on the command line and in the API', async () => {
    const { text } = fenceWith(page, 'policy simulate');
    const [handler = '', params = '', state = '', event = ''] = ['handler (\\S+)', "params '(.*?)'", "state '(.*?)'", "event '(.*?)'"].map((option) => new RegExp(`--${option}`).exec(text)?.[1]);
    const { stdout } = await runCli(['policy', 'simulate', '--handler', handler, '--params', params, '--state', state, '--event', event], { cwd: tmpdir() });
    expect(stdout).toMatch(/^verdict {3}DENY\n/);

    const server = await startTestServer();
    try {
      const input = { handler, params: JSON.parse(params), state: JSON.parse(state), event: JSON.parse(event) };
      expect(await clientOf(server.url).ask(fenceWith(page, 'query Simulate').text, { input })).toMatchObject({ verdict: 'DENY', steps: [{ policy: handler, outcome: 'DENIED' }] });
    } finally {
      await server.remove();
    }
  });
});

it('names each builtin of this version among those to attach, and no other', () => {
  const names = builtinRegistry().list().flatMap(({ name }) => (name === askOnAddPolicy.name ? [] : [name]));
  const section = readPage(page).split(/^##+ /m).find((part) => part.startsWith('The builtins')) ?? '';
  const named = [...section.matchAll(/^\|.*$/gm)].flatMap(([row]) => [...row.matchAll(/`(\w+)\.(\w+|\*)`/g)].map(([, family = '', name = '']) => ({ family, name })));
  expect(named.flatMap(({ family, name }) => (name === '*' ? names.filter((each) => each.startsWith(`${family}.`)) : [`${family}.${name}`])).toSorted()).toEqual(names.toSorted());
});

it('shows an expression that does what is said of it', () => {
  const { text: expression } = fenceWith(page, 'event.context.labels["env"]');
  const built = builtinRegistry().find('cel.cel_policy')?.build({ expression });
  if (built?.kind !== 'built') throw new Error(JSON.stringify(built));
  const event = { type: 'tool_call' as const, target: 'deploy', data: { name: 'deploy', arguments: {} } };
  const opinion = (env: string) => built.judge({ event, facts: { state: {}, labels: { env }, model: null, harness: null, actor: { run_as: 'ann' } } as never, askModel: () => ({ kind: 'notConfigured' }) });
  expect(opinion('production')).toMatchObject({ kind: 'ask', reason: 'A deployment to production.' });
  expect(opinion('staging')).toMatchObject({ kind: 'abstain' });
});

it('shows what is said of an expression that is wrong', () => {
  const { text: expression } = fenceWith(page, '"A refund."');
  const message = fenceWith(page, 'is never closed').text;
  expect(builtinRegistry().find('cel.cel_policy')?.build({ expression })).toEqual({ kind: 'invalidParams', issues: [{ path: ['expression'], message }] });
  expect(builtinRegistry().find('cel.cel_policy')?.build({ expression: expression.replace('refund."\n', 'refund."}\n') })).toMatchObject({ kind: 'built' });
});
