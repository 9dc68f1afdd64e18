import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Elicitation } from '../entities/elicitation.entity.ts';
import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { EvaluationId, SessionId } from '../entities/id.ts';
import { lineageOf, type Session } from '../entities/session.entity.ts';
import type { Happening } from './events.ts';
import type { Gate } from './gate.ts';
import type { JudgedEdit } from './judge-edit.ts';
import { approvesItself } from './may-resolve.ts';
import { lockSession, written, writeSession, writesNothing, type Written } from './session-row.ts';
import { awaiting, claim, decide, settled, type Fate, type Resolution } from './settle.ts';

export interface Settled {
  readonly sessionId: SessionId;
  readonly lineage: readonly SessionId[];
  readonly happenings: readonly Happening[];
  /** Whether labels or state of the session were written. */
  readonly wrote: boolean;
}

interface Transaction {
  readonly gate: Gate;
  readonly tx: SqlEntityManager;
  readonly now: Date;
}

interface Answer {
  readonly resolution: Resolution;
  readonly edit: JudgedEdit | null;
}

/**
 * Decides the elicitation and every evaluation that waits for it. `lost`: someone was first, or the time was up. `movedOn`: the edit was
 * judged on an older session. `forbidden`: whoever accepts evaluates on the session, by now.
 */
export async function settleByPerson({ gate, tx, now }: Transaction, elicitation: Elicitation, { resolution, edit }: Answer): Promise<Settled | 'lost' | 'movedOn' | 'forbidden'> {
  const session = await lockSession(elicitation.session, tx);
  if (approvesItself(session, { action: resolution.action, principal: gate.principal })) return 'forbidden';
  if (edit && session.version !== edit.sessionVersion) return 'movedOn';
  if (!(await claim(elicitation, { resolution, now }, tx))) return 'lost';
  const evaluations = await awaiting(elicitation, tx);
  const accepted = resolution.action === 'ACCEPT' ? await accept({ gate, tx, now }, session, { evaluations, edit }) : null;
  const decided = accepted?.decided ?? (await decide(evaluations, { fate: refusal(elicitation, resolution), now }, tx));
  return { sessionId: session.id, lineage: lineageOf(session), happenings: settled(elicitation, decided), wrote: accepted?.wrote ?? false };
}

/** Applies what the asks had withheld to the row as it is now, in order. What no longer fits denies its own evaluation and writes nothing. */
async function accept({ gate, tx, now }: Transaction, session: Session, { evaluations, edit }: { evaluations: readonly Evaluation[]; edit: JudgedEdit | null }): Promise<{ decided: EvaluationId[]; wrote: boolean }> {
  let current: Written = session;
  const decided: EvaluationId[] = [];
  for (const evaluation of evaluations) {
    const { fate, next } = fateOf(gate, current, { evaluation, edit });
    decided.push(...(await decide([evaluation], { fate, now }, tx)));
    current = next;
  }
  const wrote = current !== session;
  if (wrote) await writeSession(session, { labels: current.labels, state: current.state }, tx);
  return { decided, wrote };
}

function fateOf(gate: Gate, current: Written, { evaluation, edit }: { evaluation: Evaluation; edit: JudgedEdit | null }): { fate: Fate; next: Written } {
  const writes = edit ? edit.writes : evaluation.withheld;
  try {
    const next = writes && !writesNothing(writes) ? written(current, writes) : current;
    return { fate: { verdict: 'ALLOW', decidedBy: 'PERSON', data: edit ? edit.data : evaluation.data }, next };
  } catch (error) {
    gate.log.error({ err: error, evaluation: evaluation.id }, 'what an ask had withheld does not fit the session any more');
    const reason = `Accepted, but what the policies want written does not fit the session any more. The server's log has more under ${evaluation.id}.`;
    return { fate: { verdict: 'DENY', decidedBy: 'FAILURE', reason }, next: current };
  }
}

function refusal(elicitation: Elicitation, { action, comment, resolvedBy }: Resolution): Fate {
  const who = resolvedBy?.name ?? 'Somebody';
  return action === 'DECLINE'
    ? { verdict: 'DENY', decidedBy: 'PERSON', reason: comment ?? `${who} declined: ${elicitation.message}` }
    : { verdict: 'DENY', decidedBy: 'CANCELLATION', reason: comment ?? `${who} cancelled: ${elicitation.message}` };
}
