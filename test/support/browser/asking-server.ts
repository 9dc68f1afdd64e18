import type { Role } from '../../../src/entities/role.ts';
import type { Session } from '../../../src/entities/session.entity.ts';
import { evaluatePolicy, type EvaluatePolicyInput } from '../../../src/gate/evaluate-policy.ts';
import { createApiKey } from '../../../src/gate/create-api-key.ts';
import { attachPolicy, eventually, expectKind, startSession } from '../journey.ts';
import { post } from '../post.ts';
import { startTestServer, type ConfigOverrides, type TestServer } from '../start-server.ts';

/** A server with a session whose tool calls, of whatever tool, ask. */
export interface AskingServer {
  readonly server: TestServer;
  readonly session: Session;
  /** Asks by a ticket, and gives the ask's id. */
  ask(args?: object, input?: Partial<EvaluatePolicyInput> & { readonly tool?: string }): Promise<string>;
  /** A new key. Once there is one, nobody is let in without. */
  key(role: Role, name: string): Promise<{ readonly id: string; readonly token: string }>;
}

export async function startAskingServer(overrides: ConfigOverrides = {}, title = 'Tidy up the repository'): Promise<AskingServer> {
  const server = await startTestServer(overrides);
  const gate = server.openGate();
  const session = await startSession(gate, { title, agent: { name: `coder ${title.slice(0, 20)}` } });
  await attachPolicy(gate, session, { name: 'ask first', handler: 'safety.fixed_action', params: { action: 'ask', reason: 'A person looks at each call.' }, on: [{ phase: 'TOOL_CALL' }] });
  return {
    server,
    session,
    async ask(args = { command: 'ls -la' }, { tool = 'Bash', ...input } = {}) {
      const outcome = await evaluatePolicy(server.openGate(), { sessionId: session.id, waitSeconds: 0, event: { toolCall: { name: tool, arguments: args as never } }, ...input });
      const { elicitation } = expectKind(outcome, 'evaluated').evaluation;
      if (!elicitation) throw new Error('It was not asked.');
      return elicitation;
    },
    async key(role, name) {
      const { key, token } = expectKind(await createApiKey(server.openGate(), { role, name }), 'created');
      await eventually(async () => (await post(server.url, '{ viewer { id } }')).status === 401); // it takes note within a second
      return { id: key.id, token };
    },
  };
}
