import type { SqlEntityManager } from '@mikro-orm/sql';
import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { lineageOf } from '../entities/session.entity.ts';
import { announce } from './announce.ts';
import { appendAudit } from './append-audit.ts';
import { expiredNote } from './audit-notes.ts';
import type { Happening } from './events.ts';
import type { Gate } from './gate.ts';
import { lockSession } from './session-row.ts';
import { awaiting, claimExpiry, decide, settled } from './settle.ts';

const batchMax = 200;

/** Turns every overdue elicitation into a denial, also those whose deadline passed while no server ran. Gives their number. */
export async function settleAllExpired(gate: Gate): Promise<number> {
  let count = 0;
  for (;;) {
    const overdue = await gate.em.find(ElicitationSchema, { settledAt: null, expiresAt: { $lte: gate.now() } }, { orderBy: { expiresAt: 'asc' }, limit: batchMax });
    for (const elicitation of overdue) if (await settleExpired(gate, elicitation)) count += 1;
    if (overdue.length < batchMax) return count;
  }
}

/** False: it was settled otherwise, or its time is not up. */
export async function settleExpired(gate: Gate, elicitation: Elicitation): Promise<boolean> {
  const now = gate.now();
  const done = await inTransaction(gate.em, async (tx) => {
    const session = await lockSession(elicitation.session, tx);
    const happenings = await expire(elicitation, now, tx);
    await appendAudit({ em: tx }, happenings ? [expiredNote(elicitation, now)] : []);
    return { session, happenings };
  });
  if (!done.happenings) return false;
  await announce(gate, { lineage: lineageOf(done.session) }, done.happenings);
  return true;
}

/** Within a transaction that holds the session, and notes it (`expiredNote`). Null: it was settled otherwise, or its time is not up. */
export async function expire(elicitation: Elicitation, now: Date, tx: SqlEntityManager): Promise<Happening[] | null> {
  if (!(await claimExpiry(elicitation, now, tx))) return null;
  const fate = { verdict: 'DENY', decidedBy: 'EXPIRY', reason: `Nobody decided in time: ${elicitation.message}` } as const;
  return settled(elicitation, await decide(await awaiting(elicitation, tx), { fate, now }, tx));
}
