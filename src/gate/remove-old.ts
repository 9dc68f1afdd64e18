import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Dialect } from '../entities/dialect.ts';
import { ElicitationSchema } from '../entities/elicitation.entity.ts';
import { EvaluationSchema } from '../entities/evaluation.entity.ts';
import { leastIdAt, newElicitationId, newEvaluationId, newSessionId, type ElicitationId, type EvaluationId, type SessionId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { PolicySchema } from '../entities/policy.entity.ts';
import { SessionUsageSchema } from '../entities/session-usage.entity.ts';
import { SessionSchema } from '../entities/session.entity.ts';
import { UsageReportSchema } from '../entities/usage-report.entity.ts';
import { removeEventsBefore } from './session-event-rows.ts';

export interface Removal {
  readonly em: SqlEntityManager;
  readonly dialect: Dialect;
  /** What ended before is old. */
  readonly before: Date;
  /** Between two batches, so that calls come in between. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface Removed {
  readonly evaluations: number;
  readonly elicitations: number;
  readonly events: number;
  readonly sessions: number;
}

const batchMax = 500;

/**
 * Removes evaluations that were decided, elicitations that were settled and have no evaluation left, what happened in sessions, and sessions that ended and have
 * nothing left, where all of it is old. What still waits stays, however old, and so does the audit log. Each batch is a transaction of its own; several servers
 * may do it at once.
 */
export async function removeOld(removal: Removal): Promise<Removed> {
  const evaluations = await inBatches(removal, oldEvaluations, (ids, em) => em.nativeDelete(EvaluationSchema, { id: { $in: ids }, status: { $ne: 'AWAITING_APPROVAL' } }));
  const elicitations = await inBatches(removal, oldElicitations, (ids, em) => em.nativeDelete(ElicitationSchema, { id: { $in: ids }, settledAt: { $ne: null } }));
  const events = await removeEvents(removal);
  const sessions = await inBatches(removal, oldSessions, removeSessions);
  return { evaluations, elicitations, events, sessions };
}

/** The newest first, from `from` on: of a tree of sessions the children before their parents. */
type Read<Id> = (removal: Removal, from: Id | null) => Promise<{ readonly ids: readonly Id[]; readonly removable: readonly Id[] }>;

async function inBatches<Id extends string>(removal: Removal, read: Read<Id>, remove: (ids: Id[], em: SqlEntityManager) => Promise<number>): Promise<number> {
  let removed = 0;
  let from: Id | null = null;
  while (!removal.signal.aborted) {
    const { ids, removable }: Awaited<ReturnType<Read<Id>>> = await read(removal, from);
    if (removable.length > 0) removed += await remove([...removable], removal.em.fork());
    from = ids.at(-1) ?? null;
    if (ids.length < batchMax) break;
    await removal.pause();
  }
  return removed;
}

const page = { fields: ['id'], orderBy: { id: 'desc' }, limit: batchMax } as const;

/** By their ids, which begin with the time: a column of times would need an index of its own. */
const oldEvaluations: Read<EvaluationId> = async ({ em, before }, from) => {
  const rows = await em.fork().find(EvaluationSchema, { id: { $lt: from ?? leastIdAt(newEvaluationId, before) }, status: { $ne: 'AWAITING_APPROVAL' }, decidedAt: { $lt: before } }, page);
  const ids = rows.map(({ id }) => id);
  return { ids, removable: ids };
};

const oldElicitations: Read<ElicitationId> = async ({ em, before }, from) => {
  const rows = await em.fork().find(ElicitationSchema, { id: { $lt: from ?? leastIdAt(newElicitationId, before) }, settledAt: { $lt: before } }, page);
  const ids = rows.map(({ id }) => id);
  const needed = new Set((await em.fork().find(EvaluationSchema, { elicitation: { $in: ids } }, { fields: ['elicitation'] })).map(({ elicitation }) => elicitation));
  return { ids, removable: ids.filter((id) => !needed.has(id)) };
};

const oldSessions: Read<SessionId> = async ({ em, before }, from) => {
  const rows = await em.fork().find(SessionSchema, { id: { $lt: from ?? leastIdAt(newSessionId, before) }, endedAt: { $lt: before } }, page);
  const ids = rows.map(({ id }) => id);
  const [children, evaluations, elicitations] = await Promise.all([
    em.fork().find(SessionSchema, { parent: { $in: ids } }, { fields: ['parent'] }),
    em.fork().find(EvaluationSchema, { session: { $in: ids } }, { fields: ['session'] }),
    em.fork().find(ElicitationSchema, { session: { $in: ids } }, { fields: ['session'] }),
  ]);
  const needed = new Set([...children.map(({ parent }) => parent), ...[...evaluations, ...elicitations].map(({ session }) => session)]);
  return { ids, removable: ids.filter((id) => !needed.has(id)) };
};

/** With what was only theirs. What they have cost stays in their parents' sums and in their owners' days. */
function removeSessions(ids: SessionId[], em: SqlEntityManager): Promise<number> {
  return inTransaction(em, async (tx) => {
    await tx.nativeDelete(PolicySchema, { session: { $in: ids } });
    await tx.nativeDelete(SessionUsageSchema, { session: { $in: ids } });
    await tx.nativeDelete(UsageReportSchema, { session: { $in: ids } });
    return tx.nativeDelete(SessionSchema, { id: { $in: ids } });
  });
}

async function removeEvents({ em, dialect, before, pause, signal }: Removal): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const count = await removeEventsBefore({ em: em.fork(), dialect }, { before, limit: batchMax });
    removed += count;
    if (count < batchMax) break;
    await pause();
  }
  return removed;
}
