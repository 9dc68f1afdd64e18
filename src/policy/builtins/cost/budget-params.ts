import { z } from 'zod';
import { foldName } from '../../folded-name.ts';
import { readUsd } from './usd.ts';

const limit = z.number().positive();

/** Numbers, or texts that write one. */
const threshold = z.union([z.number(), z.string().refine(isFiniteUsd, 'Expected a number.').transform(Number)]).refine((usd) => usd > 0, 'Must be more than 0.');

const common = {
  ask_thresholds_usd: z.array(threshold).nullable().default(null).meta({
    title: 'Checkpoints (USD)',
    description: 'From each of these costs on a person must agree, once. Each lies between 0 and the limit. Of several that are passed at once, only the highest asks.',
  }),
  expensive_models: z
    .array(z.string().refine((word) => foldName(word) !== '', 'Must not be blank.'))
    .nullable()
    .default(null)
    .meta({
      title: 'Expensive models',
      description:
        'What the ids of expensive models hold, such as "opus"; letter case does not matter. From the limit on they are denied, and models that are not known, while others may go on. None given: every model is denied.',
    }),
};

const limitTexts = { title: 'Limit (USD)', description: 'From this cost on calls are denied.' };

/** A limit, checkpoints, or both. */
export const budgetParams = z
  .object({ max_cost_usd: limit.nullable().default(null).meta(limitTexts), ...common })
  .refine(({ max_cost_usd: max, ask_thresholds_usd: thresholds }) => max !== null || (thresholds ?? []).length > 0, 'Give max_cost_usd or ask_thresholds_usd: a budget without both checks nothing.')
  .superRefine(checkThresholds);

/** A limit, and checkpoints below it. */
export const dailyBudgetParams = z.object({ max_cost_usd: limit.meta(limitTexts), ...common }).superRefine(checkThresholds);

export interface Budget {
  readonly max_cost_usd: number | null;
  readonly ask_thresholds_usd: readonly number[] | null;
  readonly expensive_models: readonly string[] | null;
}

function isFiniteUsd(text: string): boolean {
  return Number.isFinite(readUsd(text) ?? NaN);
}

function checkThresholds({ max_cost_usd: max, ask_thresholds_usd: thresholds }: Budget, context: z.core.$RefinementCtx): void {
  for (const [index, usd] of (thresholds ?? []).entries()) {
    if (max === null || usd < max) continue;
    context.addIssue({ code: 'custom', path: ['ask_thresholds_usd', index], message: `Must be less than max_cost_usd, which is ${max}: from there on calls are denied anyway.` });
  }
}
