import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { z } from 'zod';
import { AgentSchema, type Agent } from '../entities/agent.entity.ts';
import type { AgentId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { thawed } from '../entities/thawed.ts';
import { appendAudit } from './append-audit.ts';
import { auditView } from './audit-notes.ts';
import { agentNameTaken } from './create-agent.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { askTimeoutSeconds, given, name, parse, prose } from './input.ts';
import { labelDefinitions } from './label-definitions.ts';
import { nextEpoch } from './policy-epoch.ts';
import { notFound, type Conflict, type InvalidInput, type NotFound } from './outcome.ts';

const changes = z.object({
  name: name.optional(),
  description: prose.nullish(),
  askTimeoutSeconds: askTimeoutSeconds.nullish(),
  labelDefinitions: labelDefinitions.optional(),
});

/** Omitted: unchanged. Null clears, where a field may be empty. */
export type UpdateAgentInput = z.input<typeof changes> & { readonly agentId: string };

export async function updateAgent(gate: Gate, input: UpdateAgentInput): Promise<{ kind: 'updated'; agent: Agent } | InvalidInput | NotFound | Conflict> {
  const parsed = parse(changes, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const agent = await find.agent(gate, input.agentId);
  if (!agent) return notFound('agent', input.agentId);
  const { id } = agent;
  const { name: newName, description, ...others } = given(parsed.value);
  const texts = gate.masking.json(given({ name: newName, description })).value;
  try {
    const updated = await inTransaction(gate.em, (tx) => write(gate, { tx, id }, { ...others, ...texts }));
    gate.views.drop({ agent: id });
    return { kind: 'updated', agent: updated };
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return agentNameTaken(parsed.value.name ?? '');
    throw error;
  }
}

async function write(gate: Gate, { tx, id }: { readonly tx: SqlEntityManager; readonly id: AgentId }, change: Partial<Agent>): Promise<Agent> {
  await nextEpoch(tx);
  const before = auditView.agent(await tx.findOneOrFail(AgentSchema, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }));
  const now = gate.now();
  await tx.nativeUpdate(AgentSchema, { id }, { ...thawed(change), updatedAt: now });
  const agent = await tx.findOneOrFail(AgentSchema, { id }, { refresh: true });
  await appendAudit({ em: tx }, [{ at: now, actor: gate.principal, session: null, action: 'AGENT_UPDATED', subject: id, before, after: auditView.agent(agent) }]);
  return agent;
}
