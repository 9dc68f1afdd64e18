import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCli, type RunningCli } from '../support/run-cli.ts';
import { startTestServer } from '../support/start-server.ts';
import { clientOf } from './client.ts';
import { fenceWith } from './fences.ts';
import { run } from './program.ts';
import { writeSnippets, type Snippets } from './write-snippets.ts';

const page = 'docs/agents.md';

describe('the six events', () => {
  it('are each allowed where no policy objects, by the documented call', async () => {
    const server = await startTestServer();
    try {
      const client = clientOf(server.url);
      const { id: agentId } = await client.ask('mutation { createAgent(input: { name: "coder" }) { ... on Agent { id } } }');
      const { id: sessionId } = await client.ask('mutation ($agentId: ID!) { createSession(input: { agentId: $agentId }) { ... on Session { id } } }', { agentId });

      const lines = fenceWith(page, '"toolResult"').text.split('\n');
      const answers = [];
      for (const line of lines) answers.push(await client.ask(fenceWith(page, 'id verdict status decidedBy').text, JSON.parse(line.replace('ses_…', sessionId))));

      expect(answers).toHaveLength(6);
      for (const answer of answers) expect(answer).toMatchObject({ __typename: 'Evaluation', verdict: 'ALLOW', decidedBy: 'POLICY', data: null });
      const { evaluations } = await client.ask('query ($id: ID!) { session(id: $id) { evaluations { edges { node { phase } } } } }', { id: sessionId });
      expect(new Set(evaluations.edges.map(({ node }: { node: { phase: string } }) => node.phase))).toEqual(
        new Set(['REQUEST', 'RESPONSE', 'TOOL_CALL', 'TOOL_RESULT', 'LLM_REQUEST', 'LLM_RESPONSE']),
      );
    } finally {
      await server.remove();
    }
  });
});

describe('the complete example', { timeout: 90_000 }, () => {
  let directory: string;
  let snippets: Snippets;
  let server: RunningCli | undefined;
  let url: string;

  const serve = async (port: string) => {
    server = startCli(['serve', '--port', port, '--database', 'sqlite:countersign.db'], { cwd: directory });
    url = (await server.ready).replace('countersign ready ', '');
  };
  const stop = async (signal: NodeJS.Signals) => {
    server?.process.kill(signal);
    await server?.result;
  };
  const startAgent = (...args: string[]) => run(process.execPath, ['agent.ts', ...args], { cwd: snippets.folder, env: { COUNTERSIGN_URL: url } });

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'countersign-docs-'));
    snippets = await writeSnippets(page);
    await serve('0');
  });

  afterAll(async () => {
    await stop('SIGTERM');
    await snippets.remove();
    await rm(directory, { recursive: true });
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('survives a %s of the server, asks once, and runs what the approver made of the call', async (signal) => {
    const sessionId = await clientOf(url).startAskingSession();
    const agent = startAgent(sessionId, 'toolu_01', 'rm -rf build');
    const { id: elicitationId } = await clientOf(url).pendingOf(sessionId);

    await stop(signal);
    await serve(new URL(url).port);
    expect(await clientOf(url).resolve({ elicitationId, action: 'ACCEPT', editedArguments: { command: 'rm -rf build/tmp' } })).toBe('ACCEPTED');

    expect(await agent.exit, agent.output).toBe(0);
    expect(agent.output).toBe('run: rm -rf build/tmp\n');
    const { evaluations } = await clientOf(url).ask('query ($id: ID!) { session(id: $id) { evaluations { edges { node { verdict } } } } }', { id: sessionId });
    expect(evaluations.edges).toEqual([{ node: { verdict: 'ALLOW' } }]);
  });

  it('does not run what is declined, and says why', async () => {
    const sessionId = await clientOf(url).startAskingSession();
    const agent = startAgent(sessionId, 'toolu_02', 'rm -rf /');
    const { id: elicitationId } = await clientOf(url).pendingOf(sessionId);
    await clientOf(url).resolve({ elicitationId, action: 'DECLINE', comment: 'Not on this machine.' });
    expect(await agent.exit, agent.output).toBe(0);
    expect(agent.output).toBe('do not run: Not on this machine.\n');
  });

  it('does not run where the session is unknown', async () => {
    const agent = startAgent('ses_unknown', 'toolu_03', 'ls');
    expect(await agent.exit, agent.output).toBe(0);
    expect(agent.output).toBe('do not run: There is no session "ses_unknown".\n');
  });
});
