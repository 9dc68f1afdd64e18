import { z } from 'zod';
import { phases } from '../policy/event.ts';
import type { PolicySelector } from '../policy/pass.ts';
import type { JsonObject } from '../policy/json.ts';
import type { Registry } from '../policy/registry.ts';
import { askTimeoutSeconds, jsonObject, labelKey, labelValue, name, shortText } from './input.ts';
import { invalidInput, type InvalidInput } from './outcome.ts';

const selector = z
  .object({ phase: z.enum(phases), toolName: shortText.nullish() })
  .refine(({ phase, toolName }) => toolName == null || phase === 'TOOL_CALL' || phase === 'TOOL_RESULT', { path: ['toolName'], error: 'goes with TOOL_CALL and TOOL_RESULT only' })
  .transform(({ phase, toolName }): PolicySelector => ({ phase, toolName: toolName ?? null }));

const conditionValues = z.union([labelValue, z.array(labelValue).min(1, 'must not be empty').max(100, 'must be at most 100')], { error: 'must be a text or a list of texts' });

/** Label → value or list of values. Keys are trimmed, as labels' are, else none would ever match; they may be reserved ones, for a condition only reads. */
const condition = jsonObject.superRefine((value, context) => {
  const seen = new Set<string>();
  for (const [key, values] of Object.entries(value)) {
    const label = key.trim();
    if (seen.has(label)) context.addIssue({ code: 'custom', path: [key], message: 'is given twice' });
    seen.add(label);
    if (label === '' || label.length > 128) context.addIssue({ code: 'custom', path: [key], message: 'must be a label key of 1 to 128 characters' });
    const result = conditionValues.safeParse(values);
    if (!result.success) context.addIssue({ code: 'custom', path: [key], message: result.error.issues[0]?.message ?? 'is invalid' });
  }
}).transform((value) => Object.fromEntries(Object.entries(value).map(([key, values]) => [key.trim(), values])) as Readonly<Record<string, string | readonly string[]>>);

/** What a policy is, apart from its target: the fields of create and update alike. */
export const policyFields = {
  name,
  handler: shortText,
  params: jsonObject.nullish(),
  on: z.array(selector).min(1, 'must not be empty; leave it out to let the handler choose').max(50, 'must be at most 50').nullish(),
  condition: condition.nullish(),
  writableLabels: z.array(labelKey).max(100, 'must be at most 100').nullish(),
  askTimeoutSeconds: askTimeoutSeconds.nullish(),
};

/** The handler's short name, when the policy can be built; what is wrong else. A policy that cannot run is never stored. */
export function checkHandler(registry: Registry, handler: string, params: JsonObject | null): { kind: 'runs'; handler: string; handlerKind: 'CALLABLE' | 'FACTORY' } | InvalidInput {
  const found = registry.find(handler);
  if (!found) return invalidInput([{ path: ['handler'], message: `must be a registered handler, such as "safety.ask_on_os_tools"; "${handler}" is none. policyRegistry lists them` }]);
  const built = found.build(params);
  if (built.kind === 'invalidParams') return invalidInput(built.issues.map(({ path, message }) => ({ path: ['params', ...path], message })));
  return { kind: 'runs', handler: found.name, handlerKind: found.kind };
}
