import type { Writes } from '../policy/write-ledger.ts';
import type { StateUpdate } from '../policy/verdict.ts';
import { keeperOf, type Keeper } from './approvals.ts';

/** What policies want written, by where it goes. */
export interface RoutedWrites {
  /** To the session's own row. */
  readonly own: Writes;
  /** To the state of its tree's root, where that is another session. */
  readonly tree: readonly StateUpdate[];
  /** The checkpoint that is approved for its owner's day; null: none. */
  readonly dayUsd: number | null;
  readonly reach: Reach;
}

/** Who is judged otherwise by what is written. */
export interface Reach {
  readonly session: boolean;
  /** Every session of the tree. */
  readonly tree: boolean;
  /** Every session of the owner. */
  readonly owner: boolean;
}

export const noReach: Reach = Object.freeze({ session: false, tree: false, owner: false });

export function routeWrites({ stateUpdates, labels }: Writes, { isRoot }: { isRoot: boolean }): RoutedWrites {
  const kept = (by: readonly Keeper[]) => stateUpdates.filter(({ key }) => by.includes(keeperOf(key)));
  const own = { labels, stateUpdates: kept(isRoot ? ['session', 'tree'] : ['session']) };
  const forTree = kept(['tree']);
  const dayUsd = highest(kept(['ownerDay']));
  return {
    own,
    tree: isRoot ? [] : forTree,
    dayUsd,
    reach: { session: own.stateUpdates.length > 0 || Object.keys(labels).length > 0, tree: forTree.length > 0, owner: dayUsd !== null },
  };
}

/** As in the reference system, what is no amount approves nothing. */
function highest(updates: readonly StateUpdate[]): number | null {
  const amounts = updates.flatMap((update) => (update.action === 'set' && typeof update.value === 'number' && update.value >= 0 ? [update.value] : []));
  return amounts.length > 0 ? Math.max(...amounts) : null;
}
