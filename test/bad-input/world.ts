import { createAgent } from '../../src/gate/create-agent.ts';
import { createApiKey } from '../../src/gate/create-api-key.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { eventually, expectKind } from '../support/journey.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { startTestServer } from '../support/start-server.ts';

/** A server with one of each, to be given bad input. */
export interface World {
  /** One of each type. Nothing asks in the session. */
  readonly ids: { readonly agent: string; readonly session: string; readonly policy: string; readonly evaluation: string; readonly elicitation: string; readonly key: string };
  /** Nothing is judged in it. */
  readonly otherSession: string;
  /** Where `evaluation` and `elicitation` are. */
  readonly askingSession: string;
  /** The idempotency key of `evaluation`. */
  readonly key: string;
  /** A name that nothing has. */
  unused(noun: string): string;
  newSession(): Promise<string>;
  pendingElicitation(): Promise<string>;
  /** Accepts one answer, or what you say. */
  send(body: string, accept?: string): Promise<{ readonly status: number; readonly text: string }>;
  /** How many rows each table has, and SQLite's `data_version`, which is another after every commit of another connection. */
  stored(): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const server = await startTestServer();
  const reader = await openDatabase(server.config.database);
  let count = 0;
  const unused = (noun: string) => `${noun} ${(count += 1)}`;
  const agent = expectKind(await createAgent(server.openGate(), { name: unused('agent') }), 'created').agent.id;
  const newSession = async () => expectKind(await createSession(server.openGate(), { agentId: agent }), 'created').session.id;
  const session = await newSession();
  const otherSession = await newSession();
  const askingSession = await newSession();
  const policyOn = async (sessionId: string, handler: string) => expectKind(await createPolicy(server.openGate(), { target: { sessionId }, name: unused('policy'), handler }), 'created').policy.id;
  const policy = await policyOn(otherSession, 'safety.max_tool_calls_per_session');
  await policyOn(askingSession, 'safety.ask_on_os_tools');
  const ask = async (idempotencyKey: string) => {
    const event = { toolCall: { name: 'Bash', arguments: { command: 'ls' } } };
    return expectKind(await evaluatePolicy(server.openGate(), { sessionId: askingSession, event, waitSeconds: 0, idempotencyKey }), 'evaluated').evaluation;
  };
  const key = 'the key';
  const { id: evaluation, elicitation } = await ask(key);
  const { token, key: apiKey } = expectKind(await createApiKey(server.openGate(), { role: 'ADMIN', name: unused('key') }), 'created');
  const send: World['send'] = async (body, accept = 'application/graphql-response+json') => {
    const headers = { 'content-type': 'application/json', accept, authorization: `Bearer ${token}` };
    const response = await fetch(server.url, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  // Its first use is noted a little later, and must not look like a write of a call.
  await eventually(async () => !(await send(JSON.stringify({ query: '{ apiKeys { edges { node { lastUsedAt } } } }' }))).text.includes('"lastUsedAt":null'));

  return {
    ids: { agent, session, policy, evaluation, elicitation: elicitation ?? '', key: apiKey.id },
    otherSession,
    askingSession,
    key,
    unused,
    newSession,
    pendingElicitation: async () => (await ask(unused('key'))).elicitation ?? '',
    send,
    async stored() {
      const rows = async (sql: string) => (await reader.em.getConnection().execute<Record<string, unknown>[]>(sql)) as readonly Readonly<Record<string, unknown>>[];
      const tables = await rows("select name from sqlite_master where type = 'table' order by name");
      const counts = await Promise.all(tables.map(async ({ name }) => [String(name), (await rows(`select count(*) as count from "${String(name)}"`))[0]?.count] as const));
      return { ...Object.fromEntries(counts), ...(await rows('pragma data_version'))[0] };
    },
    async close() {
      await reader.close();
      await server.remove();
    },
  };
}
