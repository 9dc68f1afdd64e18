import { z } from 'zod';
import type { LabelDefinition } from '../entities/agent.entity.ts';
import { labelKey, labelValue, parse } from './input.ts';

const valuesMax = 100;

/** Those of the configuration. Throws a `ConfigFault` that says which is wrong and what would be right. */
export function readServerLabelDefinitions(configured: readonly unknown[]): readonly LabelDefinition[] {
  const parsed = parse(z.object({ labelDefinitions }), { labelDefinitions: configured });
  if (parsed.kind === 'invalidInput') throw new LabelDefinitionsFault(parsed.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
  return parsed.value.labelDefinitions;
}

class LabelDefinitionsFault extends Error {
  override readonly name = 'ConfigFault';
}

/**
 * What holds where the server and an agent define labels, one definition a key. The server's initial value counts before the agent's,
 * and policies may write only what both allow: neither loosens the other.
 */
export function combineLabelDefinitions(server: readonly LabelDefinition[], agent: readonly LabelDefinition[]): readonly LabelDefinition[] {
  const agentsByKey = new Map(agent.map((definition) => [definition.key, definition]));
  const combined = server.map((definition) => combine(definition, agentsByKey.get(definition.key)));
  const serverKeys = new Set(server.map(({ key }) => key));
  return [...combined, ...agent.filter(({ key }) => !serverKeys.has(key))];
}

function combine(server: LabelDefinition, agent: LabelDefinition | undefined): LabelDefinition {
  if (!agent) return server;
  const agentInitial = agent.initial !== null && (server.values?.includes(agent.initial) ?? true) ? agent.initial : null;
  const values = server.values && agent.values ? server.values.filter((value) => agent.values?.includes(value)) : (server.values ?? agent.values);
  return { key: server.key, initial: server.initial ?? agentInitial, values };
}

/** The labels that an agent's sessions know: unique keys, an initial value that is among the values where both are given. */
export const labelDefinitions = z
  .array(
    z
      .object({ key: labelKey, initial: labelValue.nullish(), values: z.array(labelValue).min(1, 'must not be empty; leave it out to allow any value').max(valuesMax, `must be at most ${valuesMax}`).nullish() })
      .refine(({ initial, values }) => initial == null || values == null || values.includes(initial), { path: ['initial'], error: 'must be one of the values' })
      .transform(({ key, initial, values }): LabelDefinition => ({ key, initial: initial ?? null, values: values ?? null })),
  )
  .max(100, 'must be at most 100')
  .superRefine((definitions, context) => {
    const seen = new Set<string>();
    definitions.forEach(({ key }, index) => {
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [index, 'key'], message: 'is defined twice' });
      seen.add(key);
    });
  });
