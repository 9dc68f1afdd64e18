import type { SessionId } from '../entities/id.ts';
import type { Statements } from '../entities/rows.ts';
import type { Principal } from '../entities/principal.ts';
import { newVersion } from '../entities/session.entity.ts';
import type { JsonObject } from '../policy/json.ts';
import type { StateUpdate } from '../policy/verdict.ts';
import type { Reach } from './route-writes.ts';
import { written } from './session-row.ts';

/** What an evaluation writes beyond its session's own row. */
export interface Beyond {
  /** From the root to the session. */
  readonly lineage: readonly SessionId[];
  /** To the state of the root; empty where the session is the root. */
  readonly tree: readonly StateUpdate[];
  readonly day: DayApproval | null;
  readonly reach: Reach;
}

export interface DayApproval {
  readonly owner: Principal;
  readonly day: string;
  readonly approvedUsd: number;
}

/** Applies the updates to the root's state as it is now. Throws a `StateTypeError` where one does not fit. */
export async function updateTree(root: SessionId, updates: readonly StateUpdate[], on: Statements): Promise<void> {
  const locked = await on.updateTable('session').set({ version: newVersion() }).where('id', '=', root).returning('state').executeTakeFirstOrThrow();
  const state = (typeof locked['state'] === 'string' ? JSON.parse(locked['state']) : locked['state']) as JsonObject;
  const next = written({ labels: {}, state }, { labels: {}, stateUpdates: updates });
  await on.updateTable('session').set({ state: JSON.stringify(next.state) }).where('id', '=', root).execute();
}
