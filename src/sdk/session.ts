import type { CallOptions, Operations, Session } from './operations.ts';
import { RefusedError } from './errors.ts';

/** A session that is created when it is first used. */
export interface NewSession {
  /** The agent's name. An unknown one is created, where the credential may. */
  readonly agent: string;
  /** What the run is known by outside, such as the id of a job: whoever gives the same one gets the same session. Default: a session of its own. */
  readonly externalId?: string | undefined;
  /** For people. */
  readonly title?: string | undefined;
  /** The session that starts this one, for a sub-agent. */
  readonly parentId?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly model?: string | undefined;
  readonly harness?: string | undefined;
}

/** Creates a session of the agent with this name, once for each external id, however many do so at the same time. */
export async function openSession(operations: Operations, { agent, externalId = crypto.randomUUID(), ...session }: NewSession, options: CallOptions = {}): Promise<Session> {
  return operations.createSession({ agentId: await agentNamed(operations, agent, options), idempotencyKey: externalId, ...session }, options);
}

/** Created once, whoever asks first; a failure is forgotten, so that the next call tries again. */
export function sessionOf(operations: Operations, session: string | NewSession): () => Promise<string> {
  if (typeof session === 'string') return async () => session;
  let opening: Promise<string> | null = null;
  return () => {
    opening ??= openSession(operations, session).then(
      ({ id }) => id,
      (error: unknown) => {
        opening = null;
        throw error;
      },
    );
    return opening;
  };
}

async function agentNamed(operations: Operations, name: string, options: CallOptions): Promise<string> {
  const known = await findAgent(operations, name, options);
  if (known !== null) return known;
  try {
    return (await operations.createAgent({ name }, options)).id;
  } catch (error) {
    const isTaken = error instanceof RefusedError && error.result.__typename === 'ConflictError'; // somebody was quicker
    const taken = isTaken ? await findAgent(operations, name, options) : null;
    if (taken === null) throw error;
    return taken;
  }
}

async function findAgent(operations: Operations, name: string, options: CallOptions): Promise<string | null> {
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: Awaited<ReturnType<Operations['agents']>> = await operations.agents({ first: 100, after }, options);
    const found = edges.find(({ node }) => node.name === name);
    if (found) return found.node.id;
    if (!pageInfo.hasNextPage) return null;
    after = pageInfo.endCursor;
  }
}
