import type { SqlEntityManager } from '@mikro-orm/sql';
import { dialectOf } from '../entities/dialect-of.ts';
import type { SessionId } from '../entities/id.ts';
import { newVersion, SessionSchema, type Session } from '../entities/session.entity.ts';
import { readRowOrFail, updateRows } from '../entities/rows.ts';
import type { Writes } from '../policy/write-ledger.ts';
import { applyStateUpdates } from '../policy/state.ts';
import { withoutLowering } from './approvals.ts';

/** The session's current row, locked until the transaction ends. It is the lock of everything in the session: take it first. */
export async function lockSession(id: SessionId, tx: SqlEntityManager): Promise<Session> {
  const { rowLock } = dialectOf(tx);
  if (rowLock) await tx.execute(`select 1 from session where id = ?${rowLock}`, [id]);
  return readRowOrFail({ em: tx }, SessionSchema, { id });
}

export type Written = Pick<Session, 'labels' | 'state'>;

/** Labels and state after the writes, in order. Throws a `StateTypeError` where an operation does not fit what is there. */
export function written(current: Written, writes: Writes): Written {
  return {
    labels: Object.keys(writes.labels).length > 0 ? { ...current.labels, ...writes.labels } : current.labels,
    state: writes.stateUpdates.length > 0 ? applyStateUpdates(current.state, withoutLowering(current.state, writes.stateUpdates)) : current.state,
  };
}

export function writesNothing(writes: Writes): boolean {
  return writes.stateUpdates.length === 0 && Object.keys(writes.labels).length === 0;
}

/** Puts labels and state on the locked row; whoever judged on the row before judges again. */
export async function writeSession(session: Session, next: Written, tx: SqlEntityManager): Promise<void> {
  await updateRows({ em: tx }, SessionSchema, { set: { ...next, version: newVersion() }, where: { id: session.id } });
}
