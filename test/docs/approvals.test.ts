import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { clientOf } from './client.ts';
import { fenceWith, root } from './fences.ts';
import { run } from './program.ts';
import { writeSnippets, type Snippets } from './write-snippets.ts';

const page = 'docs/approvals.md';

let snippets: Snippets;
let server: TestServer;
beforeAll(async () => {
  snippets = await writeSnippets(page);
});
afterAll(() => snippets.remove());
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ... on Evaluation { verdict status reason } } }';

const bash = (sessionId: string, command: string, more: object = {}) => ({ input: { sessionId, event: { toolCall: { name: 'Bash', arguments: { command } } }, ...more } });

describe('the approver in the terminal', { timeout: 60_000 }, () => {
  it('accepts, comes back after a restart, and declines with a reason', async () => {
    const sessionId = await clientOf(server.url).startAskingSession();
    await clientOf(server.url).ask(evaluate, bash(sessionId, 'rm -rf .git', { waitSeconds: 0 }));
    await clientOf(server.url).pendingOf(sessionId);
    const approver = run(process.execPath, ['approver.ts'], { cwd: snippets.folder, env: { COUNTERSIGN_URL: server.url } });
    try {
      await approver.says(/wants to use Bash: rm -rf .git/); // what waits already comes first
      approver.type('n');
      await approver.says(/DECLINED/);

      const allowed = clientOf(server.url).ask(evaluate, bash(sessionId, 'make build'));
      await approver.says(/wants to use Bash: make build/);
      approver.type('y');
      await approver.says(/ACCEPTED/);
      expect(await allowed).toMatchObject({ verdict: 'ALLOW' });

      await server.close();
      const restarted = await startTestServer({ database: server.config.database, port: Number(new URL(server.url).port) });
      try {
        const denied = clientOf(restarted.url).ask(evaluate, bash(sessionId, 'make deploy'));
        await approver.says(/wants to use Bash: make deploy/);
        approver.type('n Friday afternoon');
        expect(await denied).toMatchObject({ verdict: 'DENY', reason: 'Friday afternoon' });
        expect(approver.output.match(/make build"/g)).toHaveLength(1);
      } finally {
        await restarted.close();
      }
    } finally {
      await approver.stop();
    }
  });
});

describe('curl', () => {
  it('gets what is pending as server-sent events', async () => {
    const sessionId = await clientOf(server.url).startAskingSession();
    await clientOf(server.url).ask(evaluate, bash(sessionId, 'ls', { waitSeconds: 0 }));
    const [, command = ''] = /^(curl .*)$/m.exec(fenceWith(page, 'curl -N').text) ?? [];
    const curl = run('bash', ['-c', `exec ${command.replace('http://127.0.0.1:4000/graphql', server.url)}`], { cwd: root });
    try {
      await curl.says(/event: next\ndata: .*wants to use Bash: ls/);
    } finally {
      await curl.stop();
    }
  });
});
