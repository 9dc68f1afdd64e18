import type { SqlEntityManager } from '@mikro-orm/sql';
import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { EvaluationSchema, type DecisionSource, type Evaluation, type EvaluationStatus } from '../entities/evaluation.entity.ts';
import type { EvaluationId } from '../entities/id.ts';
import type { Principal } from '../entities/principal.ts';
import { readRowOrFail, readRows, updateRows } from '../entities/rows.ts';
import type { Happening } from './events.ts';
import type { Rewritten } from './rewritten.ts';

/** How a person, or Countersign itself, ends an elicitation. */
export type Resolution = Required<Pick<Elicitation, 'action' | 'content' | 'comment' | 'editedArguments' | 'resolvedBy'>>;

/**
 * The one statement that decides. True: this caller ended the elicitation; false: someone else had, or the time was up.
 * An expiry and a resolution can never both win, whatever the clocks of their servers say: both need `settledAt` to be null.
 */
export async function claim(elicitation: Elicitation, { resolution, now }: { resolution: Resolution; now: Date }, tx: SqlEntityManager): Promise<boolean> {
  const isPending = { id: elicitation.id, settledAt: null, expiresAt: { $gt: now } };
  return (await updateRows({ em: tx }, ElicitationSchema, { set: { ...resolution, settledAt: now }, where: isPending })) === 1;
}

export async function claimExpiry(elicitation: Elicitation, now: Date, tx: SqlEntityManager): Promise<boolean> {
  const isOverdue = { id: elicitation.id, settledAt: null, expiresAt: { $lte: now } };
  return (await updateRows({ em: tx }, ElicitationSchema, { set: { settledAt: now }, where: isOverdue })) === 1;
}

/** Closes an elicitation that nothing waits for any more, and gives how. Null: it was settled otherwise. */
export async function close(elicitation: Elicitation, { by, comment, now }: { by: Principal; comment: string; now: Date }, tx: SqlEntityManager): Promise<Resolution | null> {
  const resolution: Resolution = { action: 'CANCEL', content: null, comment, editedArguments: null, resolvedBy: by };
  const won = await updateRows({ em: tx }, ElicitationSchema, { set: { ...resolution, settledAt: now }, where: { id: elicitation.id, settledAt: null } });
  return won === 1 ? resolution : null;
}

/** The elicitation that an undecided evaluation waits for. */
export async function elicitationOf({ id, elicitation }: Pick<Evaluation, 'id' | 'elicitation'>, em: SqlEntityManager): Promise<Elicitation> {
  if (!elicitation) throw new Error(`The evaluation ${id} waits for no elicitation.`);
  return readRowOrFail({ em }, ElicitationSchema, { id: elicitation });
}

/** The evaluations that still wait for the elicitation. */
export async function awaiting(elicitation: Pick<Elicitation, 'id'>, tx: SqlEntityManager): Promise<Evaluation[]> {
  return readRows({ em: tx }, EvaluationSchema, { elicitation: elicitation.id, status: 'AWAITING_APPROVAL' });
}

export type Fate =
  | { readonly verdict: 'ALLOW'; readonly decidedBy: 'PERSON' | 'POLICY'; readonly row: Rewritten['row'] }
  | { readonly verdict: 'DENY'; readonly decidedBy: DecisionSource; readonly reason: string; readonly decidingPolicies?: readonly string[]; readonly status?: EvaluationStatus };

/** Decides evaluations that still wait. One that was decided meanwhile stays as it is; only those really decided are answered. */
export async function decide(evaluations: readonly Pick<Evaluation, 'id'>[], { fate, now }: { fate: Fate; now: Date }, tx: SqlEntityManager): Promise<EvaluationId[]> {
  const set = { ...rowOf(fate), withheld: null, abandonAt: null, heldBy: null, decidedAt: now };
  const decided: EvaluationId[] = [];
  for (const { id } of evaluations) {
    const changed = await updateRows({ em: tx }, EvaluationSchema, { set, where: { id, status: 'AWAITING_APPROVAL' } });
    if (changed === 1) decided.push(id);
  }
  return decided;
}

function rowOf(fate: Fate): Partial<Evaluation> {
  if (fate.verdict === 'ALLOW') return { status: 'DECIDED', verdict: 'ALLOW', decidedBy: fate.decidedBy, reason: null, ...fate.row, ...(fate.decidedBy === 'POLICY' ? { decidingPolicies: [] } : {}) };
  const { status = 'DECIDED', decidedBy, reason, decidingPolicies } = fate;
  return { status, verdict: 'DENY', decidedBy, reason, data: null, dataDigest: null, ...(decidingPolicies ? { decidingPolicies } : {}) };
}

/** What to announce of a settled elicitation once the transaction is committed. */
export function settled(elicitation: Elicitation, evaluationIds: readonly EvaluationId[]): Happening[] {
  return [{ kind: 'elicitationResolved', sessionId: elicitation.session, elicitationId: elicitation.id }, ...decidedHappenings(elicitation, evaluationIds)];
}

export function decidedHappenings({ session }: { session: Elicitation['session'] }, evaluationIds: readonly EvaluationId[]): Happening[] {
  return evaluationIds.map((evaluationId) => ({ kind: 'evaluationDecided', sessionId: session, evaluationId }));
}
