import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { clientOf } from './client.ts';
import { fenceWith } from './fences.ts';
import { run } from './program.ts';
import { writeSnippets, type Snippets } from './write-snippets.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.remove());

describe('the first tool of the README', () => {
  it('has at most ten lines, and runs once its reader accepts', async () => {
    const { text } = fenceWith('README.md', 'client.gate');
    expect(text.split('\n').slice(1).filter((line) => line !== '').length).toBeLessThanOrEqual(10);
    const snippets = await writeSnippets('README.md', { 'http://127.0.0.1:4000': server.baseUrl });
    try {
      const program = run(process.execPath, ['first-tool.ts'], { cwd: snippets.folder });
      await program.says(/It asks in ses_\w+\./);
      const [, sessionId = ''] = /It asks in (ses_\w+)\./.exec(program.output) ?? [];
      const { id } = await clientOf(server.url).pendingOf(sessionId);
      expect(await clientOf(server.url).resolve({ elicitationId: id, action: 'ACCEPT' })).toBe('ACCEPTED');
      expect(await program.exit, program.output).toBe(0);
      expect(program.output).toContain('ran ls -la\n');
    } finally {
      await snippets.remove();
    }
  });
});

describe('the programs of docs/client.md', () => {
  let snippets: Snippets;

  beforeAll(async () => {
    snippets = await writeSnippets('docs/client.md');
  });

  afterAll(() => snippets.remove());

  it.each([
    ['ls -la', 'ran ls -la\n'],
    ['rm -rf /', 'not run: Only ls.\n'],
  ])('ask, decide, and come to an end: %s', async (command, outcome) => {
    const sessionId = await clientOf(server.url).startAskingSession();
    const env = { COUNTERSIGN_URL: server.url };
    const agent = run(process.execPath, ['agent.ts', sessionId, command], { cwd: snippets.folder, env });
    const approver = run(process.execPath, ['approver.ts', sessionId], { cwd: snippets.folder, env });
    expect(await approver.exit, approver.output).toBe(0);
    expect(await agent.exit, agent.output).toBe(0);
    expect(agent.output).toBe(`asked: os tools: The agent wants to use Bash: ${command}\n${outcome}`);
  });
});
