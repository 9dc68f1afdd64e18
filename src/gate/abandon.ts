import { LockMode } from '@mikro-orm/core';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { system, type Principal } from '../entities/principal.ts';
import { lineageOf } from '../entities/session.entity.ts';
import { announce } from './announce.ts';
import { appendAudit } from './append-audit.ts';
import { abandonedNote, expiredNote, resolvedNote } from './audit-notes.ts';
import type { Gate } from './gate.ts';
import { lockSession } from './session-row.ts';
import { expire } from './settle-expired.ts';
import { awaiting, close, decide, decidedHappenings, elicitationOf, settled } from './settle.ts';

const batchMax = 200;

/** Abandons what every holding caller has left for longer than the grace time. Gives the number. */
export async function abandonLeft(gate: Gate): Promise<number> {
  let count = 0;
  for (;;) {
    const left = await gate.em.find(EvaluationSchema, { status: 'AWAITING_APPROVAL', abandonAt: { $lte: gate.now() } }, { orderBy: { abandonAt: 'asc' }, limit: batchMax });
    for (const evaluation of left) if (await abandonOne(gate, evaluation)) count += 1;
    if (left.length < batchMax) return count;
  }
}

async function abandonOne(gate: Gate, evaluation: Evaluation): Promise<boolean> {
  if (gate.waiting.isHeld(evaluation.id)) {
    await gate.em.nativeUpdate(EvaluationSchema, { id: evaluation.id, status: 'AWAITING_APPROVAL' }, { heldBy: gate.lease.id, abandonAt: null });
    return false;
  }
  return abandon(gate, evaluation, { by: system, reason: 'The caller has gone and did not come back within the grace time.', leftSince: gate.now() });
}

interface Abandonment {
  readonly by: Principal;
  readonly reason: string;
  /** Given: only if the grace time is still over then, for the call may have been taken up again. */
  readonly leftSince?: Date;
}

/** Ends an undecided evaluation as ABANDONED, and its elicitation when nothing else waits for it. False: it was decided otherwise. */
export async function abandon(gate: Gate, evaluation: Evaluation, { by, reason, leftSince }: Abandonment): Promise<boolean> {
  if (evaluation.status !== 'AWAITING_APPROVAL') return false;
  const now = gate.now();
  const done = await inTransaction(gate.em, async (tx) => {
    const session = await lockSession(evaluation.session, tx);
    const current = await tx.findOneOrFail(EvaluationSchema, { id: evaluation.id }, { lockMode: LockMode.PESSIMISTIC_WRITE }); // nobody takes it up meanwhile
    if (leftSince && !(current.abandonAt && current.abandonAt <= leftSince)) return null;
    const elicitation = await elicitationOf(evaluation, tx);
    const expired = await expire(elicitation, now, tx); // it reads as expired already, and what has expired stays so
    if (expired) {
      await appendAudit({ em: tx }, [expiredNote(elicitation, now)]);
      return { session, happenings: expired, isAbandoned: false };
    }
    const fate = { verdict: 'DENY', decidedBy: 'CANCELLATION', status: 'ABANDONED', reason } as const;
    const decided = await decide([evaluation], { fate, now }, tx);
    if (decided.length === 0) return null;
    const closed = (await awaiting(elicitation, tx)).length === 0 ? await close(elicitation, { by, comment: reason, now }, tx) : null;
    await appendAudit({ em: tx }, [abandonedNote(evaluation, { actor: by, reason, at: now }), ...(closed ? [resolvedNote(elicitation, closed, { now })] : [])]);
    return { session, happenings: closed ? settled(elicitation, decided) : decidedHappenings(elicitation, decided), isAbandoned: true };
  });
  if (!done) return false;
  await announce(gate, { lineage: lineageOf(done.session) }, done.happenings);
  return done.isAbandoned;
}
