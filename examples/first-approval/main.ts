import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gql, GraphQLClient } from 'graphql-request';
import { run } from './process-lines.ts';

/**
 * The first approval, on real connections: a server on a fresh database, an agent in one process, an approver in another.
 * The journey is played twice: accepted, then declined. Exits non-zero when a step differs from what it should be.
 */
const directory = await mkdtemp(path.join(tmpdir(), 'countersign-demo-'));
const here = import.meta.dirname;
const server = run(path.join(here, '../../src/cli/main.ts'), 'serve', '--port', '0', '--database', `sqlite:${path.join(directory, 'demo.db')}`);
try {
  const ready = await server.next();
  const url = ready.replace('countersign ready ', '');
  say('server', ready);
  const sessionId = await setUp(url);
  await play({ url, sessionId, action: 'ACCEPT', command: 'ls -la', verdict: 'ALLOW' });
  await play({ url, sessionId, action: 'DECLINE', command: 'rm -rf build', verdict: 'DENY' });
  say('demo', 'Both journeys went as they should.');
} finally {
  const code = await server.stop();
  await rm(directory, { recursive: true });
  say('server', `stopped, exit code ${code}`);
}

async function setUp(url: string): Promise<string> {
  const client = new GraphQLClient(url);
  const create = async (name: 'createAgent' | 'createSession' | 'createPolicy', input: object) => {
    const inputType = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const document = gql`mutation Create($input: ${inputType}!) { ${name}(input: $input) { __typename ... on Node { id } ... on Error { message } } }`;
    const { [name]: created } = await client.request<Record<string, { __typename: string; id?: string; message?: string }>>(document, { input });
    assert.ok(created?.id, `${name}: ${created?.message}`);
    return created.id;
  };
  const agentId = await create('createAgent', { name: 'demo agent', description: 'Runs shell commands.' });
  const sessionId = await create('createSession', { agentId, title: 'A first approval' });
  await create('createPolicy', { target: { sessionId }, name: 'ask before OS tools', handler: 'omnigent.policies.builtins.safety.ask_on_os_tools' });
  say('setup', `session ${sessionId} asks before OS tools`);
  return sessionId;
}

interface Journey {
  readonly url: string;
  readonly sessionId: string;
  readonly action: 'ACCEPT' | 'DECLINE';
  readonly command: string;
  readonly verdict: 'ALLOW' | 'DENY';
}

async function play({ url, sessionId, action, command, verdict }: Journey): Promise<void> {
  const approver = run(path.join(here, 'approver.ts'), url, sessionId, action);
  await approver.next();
  say('approver', 'is watching the session');
  const agent = run(path.join(here, 'agent.ts'), url, sessionId, command);
  say('agent', `wants to run Bash: ${command}`);

  const { saw, snapshot } = JSON.parse(await approver.next()) as { saw: { id: string; message: string; contentPreview: string; digest: string }; snapshot: string[] };
  say('approver', `sees ${saw.id} (${saw.digest.slice(0, 8)}): ${saw.message}`);
  say('approver', saw.contentPreview);
  assert.deepEqual(snapshot, [saw.id], "the session's snapshot shows the pending elicitation");
  assert.ok(saw.contentPreview.includes(command), 'the approver sees the command');

  const { decided } = JSON.parse(await approver.next()) as { decided: { __typename: string; status: string } };
  assert.equal(decided.__typename, 'Elicitation');
  assert.equal(decided.status, action === 'ACCEPT' ? 'ACCEPTED' : 'DECLINED');
  say('approver', `answers ${action}: ${decided.status}`);

  const answer = JSON.parse(await agent.next()) as { verdict: string; status: string; decidedBy: string; reason: string | null };
  say('agent', `is answered ${answer.verdict}, decided by ${answer.decidedBy}${answer.reason === null ? '' : `: ${answer.reason}`}`);
  assert.equal(answer.verdict, verdict);
  assert.equal(answer.status, 'DECIDED');
  assert.equal(answer.decidedBy, 'PERSON');
  await Promise.all([agent.stop(), approver.stop()]);
}

function say(who: string, what: string): void {
  process.stdout.write(`${who.padEnd(9)} ${what}\n`);
}
