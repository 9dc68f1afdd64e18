import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import { isSessionId } from '../entities/id.ts';
import { readRow } from '../entities/rows.ts';
import { abandon } from './abandon.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { shortText } from './input.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from './outcome.ts';
import { storedKey } from './stored-key.ts';
import { visible } from './visible.ts';

/** Either the evaluation, or the session and the key of the call: a caller whose call is held knows no id yet. */
export interface WithdrawEvaluationInput {
  readonly evaluationId?: string | null | undefined;
  readonly sessionId?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** The caller gave up: an undecided evaluation is abandoned at once. A decided one stays as it is, and is given back. */
export async function withdrawEvaluation(gate: Gate, input: WithdrawEvaluationInput): Promise<{ kind: 'withdrawn'; evaluation: Evaluation } | InvalidInput | NotFound> {
  const { evaluationId, sessionId, idempotencyKey } = input;
  const byId = evaluationId != null && sessionId == null && idempotencyKey == null;
  const byKey = evaluationId == null && sessionId != null && idempotencyKey != null;
  if (!byId && !byKey) return invalidInput([{ path: [], message: 'give either evaluationId, or sessionId and idempotencyKey' }]);
  const evaluation = byId ? await find.evaluation(gate, evaluationId) : await byKeyOf(gate, sessionId ?? '', idempotencyKey ?? '');
  if (!evaluation) return notFound('evaluation', evaluationId ?? idempotencyKey ?? '');
  await abandon(gate, evaluation, { by: gate.principal, reason: 'The caller has withdrawn the call.' });
  return { kind: 'withdrawn', evaluation: await gate.em.findOneOrFail(EvaluationSchema, { id: evaluation.id }) };
}

async function byKeyOf(gate: Gate, session: string, key: string): Promise<Evaluation | null> {
  const idempotencyKey = shortText.safeParse(key);
  return isSessionId(session) && idempotencyKey.success ? readRow(gate, EvaluationSchema, { session, idempotencyKey: storedKey(gate, idempotencyKey.data), $and: visible.ofSessions(gate) }) : null;
}
