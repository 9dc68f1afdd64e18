import type { JsonObject } from '../policy/json.ts';
import type { StateUpdate } from '../policy/verdict.ts';

/** The keys under which the cost policies note what a person has approved, as the reference system spells them. */
const costApproved = '_policy_cost_ask_approved_usd';
const unpricedApproved = '_policy_cost_unpriced_approved';
const subagentCostApproved = 'subagent_cost_ask_approved_usd';
const dailyCostApproved = '_policy_user_daily_ask_approved_usd';

/** Where a key of the state is kept: with the session, with the root of its tree for all of the tree, or for the owner's day. */
export type Keeper = 'session' | 'tree' | 'ownerDay';

/** The one place that decides it. */
export function keeperOf(key: string): Keeper {
  if (key === costApproved || key === unpricedApproved) return 'tree';
  return key === dailyCostApproved ? 'ownerDay' : 'session';
}

/** What of a root's state counts in the whole tree. */
export function treeStateOf(rootState: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(rootState).filter(([key]) => keeperOf(key) === 'tree'));
}

/**
 * The updates, but that none lowers what was approved: an approval of $1 that comes after one of $3, or with it, because it was asked for
 * earlier or by another policy, does not take that one back.
 */
export function withoutLowering(state: JsonObject, updates: readonly StateUpdate[]): readonly StateUpdate[] {
  if (!updates.some(({ key }) => isMark(key))) return updates;
  const marks = new Map<string, unknown>();
  return updates.map((update) => {
    if (!isMark(update.key)) return update;
    const stored = marks.has(update.key) ? marks.get(update.key) : state[update.key];
    const isLower = update.action === 'set' && typeof stored === 'number' && typeof update.value === 'number' && update.value < stored;
    const kept: StateUpdate = isLower ? { ...update, value: stored } : update;
    marks.set(update.key, kept.action === 'set' ? kept.value : undefined);
    return kept;
  });
}

function isMark(key: string): boolean {
  return key === costApproved || key === subagentCostApproved;
}
