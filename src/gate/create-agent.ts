import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { AgentSchema, type Agent } from '../entities/agent.entity.ts';
import { newAgentId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { insertRows } from '../entities/rows.ts';
import { appendAudit } from './append-audit.ts';
import { auditView } from './audit-notes.ts';
import type { Gate } from './gate.ts';
import { askTimeoutSeconds, name, parse, prose } from './input.ts';
import { labelDefinitions } from './label-definitions.ts';
import { conflict, type Conflict, type InvalidInput } from './outcome.ts';
import { visibleName } from './visible-text.ts';

const createAgentInput = z.object({
  name,
  description: prose.nullish(),
  askTimeoutSeconds: askTimeoutSeconds.nullish(),
  labelDefinitions: labelDefinitions.nullish(),
});

export type CreateAgentInput = z.input<typeof createAgentInput>;

export async function createAgent(gate: Gate, input: CreateAgentInput): Promise<{ kind: 'created'; agent: Agent } | InvalidInput | Conflict> {
  const parsed = parse(createAgentInput, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const now = gate.now();
  const agent: Agent = {
    id: newAgentId(),
    name: gate.masking.text(parsed.value.name),
    description: parsed.value.description == null ? null : gate.masking.text(parsed.value.description),
    askTimeoutSeconds: parsed.value.askTimeoutSeconds ?? null,
    labelDefinitions: parsed.value.labelDefinitions ?? [],
    createdAt: now,
    updatedAt: now,
  };
  try {
    await inTransaction(gate.em, async (tx) => {
      await insertRows({ em: tx }, AgentSchema, [agent]);
      await appendAudit({ em: tx }, [{ at: now, actor: gate.principal, session: null, action: 'AGENT_CREATED', subject: agent.id, after: auditView.agent(agent) }]);
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return agentNameTaken(agent.name);
    throw error;
  }
  return { kind: 'created', agent };
}

export function agentNameTaken(taken: string): Conflict {
  return conflict(`There is an agent named "${visibleName(taken)}" already: names are unique.`);
}
