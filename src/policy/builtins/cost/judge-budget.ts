import type { JsonObject } from '../../json.ts';
import { allow, ask, deny, set, type Opinion } from '../../verdict.ts';
import type { Budget } from './budget-params.ts';
import { createModelStop } from './expensive-models.ts';
import type { SpentUsd } from './spending.ts';
import { usdText } from './usd.ts';

/** What tells one kind of budget from another. */
export interface BudgetKind {
  /** The handler's name: checkpoints of one kind share an elicitation. */
  readonly handler: string;
  /** As a sentence begins, e.g. `This session and its sub-agents have cost`. */
  readonly haveCost: string;
  /** Where an approved checkpoint is written. */
  readonly approvalKey: string;
}

/** What has happened so far. */
export interface Account {
  readonly state: JsonObject;
  readonly model: unknown;
  readonly spent: SpentUsd;
  /** Whether the session tree has used tokens without a price, which `spent` may know nothing of. */
  readonly isUnpriced: boolean;
  /** The highest checkpoint that a person has approved. Throws where that cannot be read. */
  readonly approvedUsd: () => number;
  /** What the budget begins anew with, such as a day; none: it never does. */
  readonly period?: string;
}

/**
 * The rules that all budgets share: known spending beyond the limit denies; tokens without a price ask once; the highest checkpoint that is
 * passed and not approved asks.
 *
 * Unlike in the reference system, the limit comes first and an approval of unpriced tokens does not end the checks: a day's budget is still a
 * budget when one of its sessions runs a model without a price.
 */
export function createBudget(kind: BudgetKind, { max_cost_usd: max, ask_thresholds_usd: thresholds, expensive_models: models }: Budget): (account: Account) => Opinion {
  const checkpoints = [...new Set(thresholds ?? [])].sort((one, other) => other - one);
  const isStopped = createModelStop(models);
  const advice = (models ?? []).length > 0 ? ' Models that are not on the list of expensive ones may go on.' : '';

  return ({ state, model, spent, isUnpriced, approvedUsd, period }) => {
    const isOverLimit = max !== null && spent !== null && spent >= max;
    if (isOverLimit && isStopped(model)) return deny(`${kind.haveCost} ${usdText(spent)}. The limit is ${usdText(max)}.${advice}`);
    if ((spent === null || isUnpriced) && !isApproved(state[unpricedKey])) {
      return ask('Tokens were used whose price is not known, so the budget cannot be checked.', { checkpoint: 'cost.unpriced', stateUpdates: [set(unpricedKey, true)] });
    }
    if (spent === null || isOverLimit) return allow();
    const checkpoint = checkpoints.find((usd) => usd <= spent);
    if (checkpoint === undefined || checkpoint <= approvedUsd()) return allow();
    return ask(`${kind.haveCost} ${usdText(spent)}. From ${usdText(checkpoint)} on a person must agree.`, {
      checkpoint: [kind.handler, checkpoint, ...(period === undefined ? [] : [period])].join(':'),
      stateUpdates: [set(kind.approvalKey, checkpoint)],
    });
  };
}

/** The reference's key, kept on the root of the session tree. */
const unpricedKey = '_policy_cost_unpriced_approved';

/** Whether a stored value says yes. A text that says no does not, though the reference system takes any text for a yes. */
function isApproved(value: unknown): boolean {
  if (typeof value === 'string') return !/^\s*(?:false|no|off|null|none|0*)\s*$/i.test(value.slice(0, 64));
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
