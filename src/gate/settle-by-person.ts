import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Elicitation } from '../entities/elicitation.entity.ts';
import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { EvaluationId, SessionId } from '../entities/id.ts';
import { dayOf } from '../entities/daily-cost.entity.ts';
import type { Principal } from '../entities/principal.ts';
import { lineageOf } from '../entities/session.entity.ts';
import type { AuditNote } from './append-audit.ts';
import { resolvedNote } from './audit-notes.ts';
import type { Happening } from './events.ts';
import type { Gate } from './gate.ts';
import { lockGround, sow, store, unsown, type Ground, type Sown } from './ground.ts';
import type { JudgedEdit } from './judge-edit.ts';
import { approvesItself, isOwnApproval } from './may-resolve.ts';
import { isStillSo } from './policy-epoch.ts';
import type { Rewritten } from './rewritten.ts';
import { noReach, type Reach } from './route-writes.ts';
import { lockSession, writesNothing } from './session-row.ts';
import { awaiting, claim, decide, settled, type Fate, type Resolution } from './settle.ts';
import { visibleMessage, visibleName } from './visible-text.ts';

export interface Settled {
  readonly sessionId: SessionId;
  readonly lineage: readonly SessionId[];
  readonly owner: Principal;
  readonly happenings: readonly Happening[];
  readonly reach: Reach;
  /** To be appended once all that the transaction does is done: it locks the end of the audit chain. */
  readonly note: AuditNote;
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
  const ground = resolution.action === 'ACCEPT' ? await lockGround(elicitation.session, tx) : { session: await lockSession(elicitation.session, tx), root: null };
  const { session } = ground;
  if (approvesItself(session, { action: resolution.action, gate })) return 'forbidden';
  if (edit && !(await isStillSo(edit.under, session, tx))) return 'movedOn';
  if (!(await claim(elicitation, { resolution, now }, tx))) return 'lost';
  const evaluations = await awaiting(elicitation, tx);
  const accepted = resolution.action === 'ACCEPT' ? await accept({ gate, tx, now }, ground, { evaluations, edit }) : null;
  const decided = accepted?.decided ?? (await decide(evaluations, { fate: refusal(elicitation, resolution), now }, tx));
  const note = resolvedNote(elicitation, resolution, { now, ownApproval: isOwnApproval(session, { action: resolution.action, gate }) });
  return { sessionId: session.id, lineage: lineageOf(session), owner: session.owner, happenings: settled(elicitation, decided), reach: accepted?.reach ?? noReach, note };
}

/** Applies what the asks had withheld to the rows as they are now, in order. What no longer fits denies its own evaluation and writes nothing. */
async function accept({ gate, tx, now }: Transaction, ground: Ground, { evaluations, edit }: { evaluations: readonly Evaluation[]; edit: JudgedEdit | null }): Promise<{ decided: EvaluationId[]; reach: Reach }> {
  let current = unsown(ground);
  const decided: EvaluationId[] = [];
  for (const evaluation of evaluations) {
    const { fate, next } = fateOf({ gate, now }, current, { evaluation, edit });
    decided.push(...(await decide([evaluation], { fate, now }, tx)));
    current = next;
  }
  await store(ground, current, tx);
  return { decided, reach: current.reach };
}

function fateOf({ gate, now }: Pick<Transaction, 'gate' | 'now'>, current: Sown, { evaluation, edit }: { evaluation: Evaluation; edit: JudgedEdit | null }): { fate: Fate; next: Sown } {
  const writes = edit ? edit.writes : evaluation.withheld;
  const day = dayOf(edit ? now : evaluation.createdAt); // of the spending that was asked about
  try {
    const next = writes && !writesNothing(writes) ? sow(current, { writes, day }) : current;
    return { fate: { verdict: 'ALLOW', decidedBy: 'PERSON', row: edit ? edit.rewritten.row : asStored(evaluation) }, next };
  } catch (error) {
    gate.log.error({ err: error, evaluation: evaluation.id }, 'what an ask had withheld does not fit the session any more');
    const reason = `Accepted, but what the policies want written does not fit the session any more. The server's log has more under ${evaluation.id}.`;
    return { fate: { verdict: 'DENY', decidedBy: 'FAILURE', reason }, next: current };
  }
}

function asStored({ data, dataDigest, maskedPaths }: Evaluation): Rewritten['row'] {
  return { data, dataDigest, maskedPaths };
}

function refusal(elicitation: Elicitation, { action, comment, resolvedBy }: Resolution): Fate {
  const who = visibleName(resolvedBy?.name ?? 'Somebody');
  const words = comment ? visibleMessage(comment) : null;
  return action === 'DECLINE'
    ? { verdict: 'DENY', decidedBy: 'PERSON', reason: words ?? `${who} declined: ${elicitation.message}` }
    : { verdict: 'DENY', decidedBy: 'CANCELLATION', reason: words ?? `${who} cancelled: ${elicitation.message}` };
}
