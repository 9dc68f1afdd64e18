import { RefusedError } from '../sdk/errors.ts';
import { AgentsDocument, CreateAgentDocument, CreateSessionDocument, type AgentsQuery } from '../sdk/generated.ts';
import type { HostSession } from './host.ts';
import { digestOf } from './host-state.ts';
import type { Server } from './server.ts';

/** The agent that sessions are to belong to is not there, and may not be created. The message says what to do. */
export class AgentFault extends Error {
  override readonly name = 'AgentFault';
}

export interface SessionRequest {
  /** The host's name. */
  readonly host: string;
  readonly session: HostSession;
  /** The agent's name. */
  readonly agent: string;
}

/** The id of our session for the host's: of any number of hooks that ask at once, one creates it and all others find it. */
export async function openSession(server: Server, { host, session, agent }: SessionRequest, signal: AbortSignal): Promise<string> {
  const agentId = await agentNamed(server, agent, signal);
  const parentId = session.parentId === null ? null : (await create(server, { host, agentId, session: { ...session, id: session.parentId, parentId: null } }, signal)).id;
  return (await create(server, { host, agentId, parentId, session }, signal)).id;
}

interface Creation {
  readonly host: string;
  readonly agentId: string;
  readonly parentId?: string | null;
  readonly session: HostSession;
}

async function create(server: Server, { host, agentId, parentId = null, session }: Creation, signal: AbortSignal): Promise<{ readonly id: string }> {
  const title = session.directory?.split(/[/\\]/).findLast((part) => part !== '') ?? host;
  const fits = (text: string | null) => (text === null || text.trim() === '' || text.length > 256 ? null : text);
  const key = `${host}:${session.id}`;
  const input = { agentId, parentId, title: fits(title), model: fits(session.model), harness: host, idempotencyKey: key.length > 256 ? `${host}:${digestOf(session.id)}` : key };
  const created = await server.call(CreateSessionDocument, { input }, signal);
  if (created.__typename !== 'Session') throw new AgentFault('the server created no session.');
  return created;
}

async function agentNamed(server: Server, name: string, signal: AbortSignal): Promise<string> {
  const known = await findAgent(server, name, signal);
  if (known !== null) return known;
  try {
    const created = await server.call(CreateAgentDocument, { input: { name } }, signal);
    if (created.__typename === 'Agent') return created.id;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (error.result.__typename === 'ForbiddenError') throw new AgentFault(`there is no agent "${name}" that this credential reaches, and it may create none: let an admin create it, or name another one in COUNTERSIGN_AGENT.`);
    if (error.result.__typename !== 'ConflictError') throw error;
  }
  const taken = await findAgent(server, name, signal); // somebody was quicker
  if (taken === null) throw new AgentFault(`the agent "${name}" is there, but this credential does not reach it: name another one in COUNTERSIGN_AGENT.`);
  return taken;
}

async function findAgent(server: Server, name: string, signal: AbortSignal): Promise<string | null> {
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: AgentsQuery['agents'] = await server.call(AgentsDocument, { first: 100, after }, signal);
    const found = edges.find(({ node }) => node.name === name);
    if (found) return found.node.id;
    if (!pageInfo.hasNextPage) return null;
    after = pageInfo.endCursor ?? null;
  }
}
