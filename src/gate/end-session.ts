import type { SqlEntityManager } from '@mikro-orm/sql';
import { ElicitationSchema } from '../entities/elicitation.entity.ts';
import type { SessionId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { lineageOf, newVersion, SessionSchema, subtreeOf, type Session } from '../entities/session.entity.ts';
import { announce } from './announce.ts';
import { appendAudit, type AuditNote } from './append-audit.ts';
import { expiredNote, resolvedNote } from './audit-notes.ts';
import type { Happening } from './events.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { notFound, type NotFound } from './outcome.ts';
import { lockSession } from './session-row.ts';
import { expire } from './settle-expired.ts';
import { awaiting, close, decide, settled } from './settle.ts';

/** Ends a session and its sub-agents: what is pending in them is cancelled, later evaluations are refused. Ending an ended one changes nothing. */
export async function endSession(gate: Gate, input: { readonly sessionId: string }): Promise<{ kind: 'ended'; session: Session } | NotFound> {
  const id = input.sessionId;
  const session = await find.session(gate, id);
  if (!session) return notFound('session', input.sessionId);
  for (;;) {
    const open = await gate.em.find(SessionSchema, { path: subtreeOf(session), endedAt: null }, { orderBy: { path: 'asc' } });
    if (open.length === 0) break; // a sub-agent that began meanwhile has ended as well
    for (const one of open) await endOne(gate, one);
  }
  return { kind: 'ended', session: await gate.em.findOneOrFail(SessionSchema, { id: session.id }) };
}

async function endOne(gate: Gate, { id }: Session): Promise<void> {
  const { session, happenings } = await inTransaction(gate.em, (tx) => end(gate, id, tx));
  gate.views.forget(id);
  await announce(gate, { lineage: lineageOf(session) }, happenings);
}

async function end(gate: Gate, id: SessionId, tx: SqlEntityManager): Promise<{ session: Session; happenings: Happening[] }> {
  const now = gate.now();
  const session = await lockSession(id, tx);
  const ended = await tx.nativeUpdate(SessionSchema, { id, endedAt: null }, { endedAt: now, version: newVersion() });
  if (ended === 0) return { session, happenings: [] };
  const happenings: Happening[] = [];
  const notes: AuditNote[] = [{ at: now, actor: gate.principal, session: id, action: 'SESSION_ENDED', subject: id }];
  for (const elicitation of await tx.find(ElicitationSchema, { session: id, settledAt: null }, { orderBy: { id: 'asc' } })) {
    const expired = await expire(elicitation, now, tx); // it reads as expired already, and what has expired stays so
    if (expired) {
      happenings.push(...expired);
      notes.push(expiredNote(elicitation, now));
      continue;
    }
    const comment = 'The session has ended.';
    const closed = await close(elicitation, { by: gate.principal, comment, now }, tx);
    if (!closed) continue;
    notes.push(resolvedNote(elicitation, closed, { now }));
    const fate = { verdict: 'DENY', decidedBy: 'CANCELLATION', reason: comment } as const;
    happenings.push(...settled(elicitation, await decide(await awaiting(elicitation, tx), { fate, now }, tx)));
  }
  await appendAudit({ em: tx }, notes);
  return { session, happenings };
}
