import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { AgentSchema, type Agent } from '../entities/agent.entity.ts';
import { agentNameTaken } from './create-agent.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { askTimeoutSeconds, given, name, parse, prose } from './input.ts';
import { labelDefinitions } from './label-definitions.ts';
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
  try {
    await gate.em.nativeUpdate(AgentSchema, { id }, { ...given(parsed.value), updatedAt: gate.now() });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return agentNameTaken(parsed.value.name ?? '');
    throw error;
  }
  gate.views.drop({ agent: id });
  return { kind: 'updated', agent: await gate.em.findOneOrFail(AgentSchema, { id }) };
}
