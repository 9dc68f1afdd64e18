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
