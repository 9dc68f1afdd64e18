import { expect } from 'vitest';
import type { Elicitation } from '../../src/entities/elicitation.entity.ts';
import { EvaluationSchema, type Evaluation } from '../../src/entities/evaluation.entity.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { createAgent, type CreateAgentInput } from '../../src/gate/create-agent.ts';
import { createPolicy, type CreatePolicyInput } from '../../src/gate/create-policy.ts';
import { createSession, type CreateSessionInput } from '../../src/gate/create-session.ts';
import { evaluatePolicy, type EvaluatePolicyInput } from '../../src/gate/evaluate-policy.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { pendingElicitations } from '../../src/gate/pending-elicitations.ts';

/** The outcome of this kind, or a failed test that shows what came instead. */
export function expectKind<Outcome extends { kind: string }, Kind extends Outcome['kind']>(outcome: Outcome, kind: Kind): Extract<Outcome, { kind: Kind }> {
  expect(outcome).toMatchObject({ kind });
  return outcome as Extract<Outcome, { kind: Kind }>;
}

let agents = 0;

/** A session of an agent of its own. */
export async function startSession(gate: Gate, { agent, ...session }: Partial<CreateSessionInput> & { agent?: Partial<CreateAgentInput> } = {}): Promise<Session> {
  agents += 1;
  const created = expectKind(await createAgent(gate, { name: `agent ${agents}`, ...agent }), 'created');
  return expectKind(await createSession(gate, { agentId: created.agent.id, ...session }), 'created').session;
}

export async function attachPolicy(gate: Gate, session: Session, policy: Partial<CreatePolicyInput> = {}) {
  const input = { target: { sessionId: session.id }, name: 'os tools', handler: 'safety.ask_on_os_tools', ...policy };
  return expectKind(await createPolicy(gate, input), 'created').policy;
}

/** A session whose OS tools ask. */
export async function startAskingSession(gate: Gate, session: Parameters<typeof startSession>[1] = {}): Promise<Session> {
  const started = await startSession(gate, session);
  await attachPolicy(gate, started);
  return started;
}

export function bash(session: Session, command = 'ls', call: Partial<EvaluatePolicyInput> = {}): EvaluatePolicyInput {
  return { sessionId: session.id, event: { toolCall: { name: 'Bash', arguments: { command } } }, ...call };
}

/** An evaluation whose call is held, and the elicitation that it waits for. */
export interface Held {
  readonly elicitation: Elicitation;
  /** What the held call answers in the end. */
  readonly answer: Promise<Evaluation>;
}

export async function hold(gate: Gate, session: Session, call: EvaluatePolicyInput = bash(session)): Promise<Held> {
  const before = new Set((await pending(gate, session)).map(({ id }) => id));
  const answer = evaluatePolicy(gate, call).then((outcome) => expectKind(outcome, 'evaluated').evaluation);
  answer.catch(() => undefined); // whoever awaits the answer sees the failure
  const elicitation = await eventually(async () => (await pending(gate, session)).find(({ id }) => !before.has(id)));
  return { elicitation, answer };
}

export function pending(gate: Gate, session: Session): Promise<Elicitation[]> {
  return pendingElicitations(gate, session, { includeDescendants: true });
}

export async function stored(gate: Gate, { id }: Pick<Evaluation, 'id'>): Promise<Evaluation> {
  return gate.em.findOneOrFail(EvaluationSchema, { id });
}

/** Asks again and again until there is a value; fails after five seconds, or as many as are given. */
export async function eventually<T>(read: () => Promise<T | undefined | null | false> | T | undefined | null | false, seconds = 5): Promise<T> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (Date.now() > until) throw new Error(`It did not happen within ${seconds} seconds.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
