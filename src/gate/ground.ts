import type { SqlEntityManager } from '@mikro-orm/sql';
import { dialectOf } from '../entities/dialect-of.ts';
import type { SessionId } from '../entities/id.ts';
import { readRowOrFail, type Tables } from '../entities/rows.ts';
import { lineageOf, SessionSchema, type Session } from '../entities/session.entity.ts';
import type { Writes } from '../policy/write-ledger.ts';
import { noReach, routeWrites, type Reach } from './route-writes.ts';
import { lockSession, written, writeSession, type Written } from './session-row.ts';
import { approveDay } from './usage-rows.ts';

/** The locked rows that a session's writes may go to. */
export interface Ground {
  readonly session: Session;
  /** The root of its tree; null: it is the root itself. */
  readonly root: Session | null;
}

/** Locks a session, and the root of its tree before it. */
export async function lockGround(id: SessionId, tx: SqlEntityManager): Promise<Ground> {
  const seen = await readRowOrFail({ em: tx }, SessionSchema, { id });
  const [rootId] = lineageOf(seen);
  const root = rootId === undefined || rootId === id ? null : await lockSession(rootId, tx);
  // Where reading locks nothing, one read does: what a transaction reads does not change under it.
  return { session: dialectOf(tx).rowLock ? await lockSession(id, tx) : seen, root };
}

/** What is to become of the ground. */
export interface Sown {
  readonly session: Written;
  readonly root: Written | null;
  /** Day → the checkpoint that was approved for it. */
  readonly days: ReadonlyMap<string, number>;
  readonly reach: Reach;
}

export function unsown({ session, root }: Ground): Sown {
  return { session, root, days: new Map(), reach: noReach };
}

/** The ground after the writes of one decision. `day`: that of the decision. Throws a `StateTypeError` where something does not fit; then nothing counts. */
export function sow(ground: Sown, { writes, day }: { writes: Writes; day: string }): Sown {
  const { own, tree, dayUsd, reach } = routeWrites(writes, { isRoot: ground.root === null });
  return {
    session: reach.session ? written(ground.session, own) : ground.session,
    root: ground.root && tree.length > 0 ? written(ground.root, { labels: {}, stateUpdates: tree }) : ground.root,
    days: dayUsd === null ? ground.days : new Map([...ground.days, [day, Math.max(dayUsd, ground.days.get(day) ?? 0)]]),
    reach: { session: reach.session || ground.reach.session, tree: reach.tree || ground.reach.tree, owner: reach.owner || ground.reach.owner },
  };
}

/** Puts it on the locked rows. Whoever judged on one of them before judges again. */
export async function store({ session, root }: Ground, sown: Sown, tx: SqlEntityManager): Promise<void> {
  if (root && sown.root && sown.root !== root) await writeSession(root, plain(sown.root), tx);
  if (sown.session !== session) await writeSession(session, plain(sown.session), tx);
  for (const [day, approvedUsd] of sown.days) await approveDay(session.owner, { day, approvedUsd }, tx.getKysely<Tables>());
}

function plain({ labels, state }: Written): Written {
  return { labels, state };
}
