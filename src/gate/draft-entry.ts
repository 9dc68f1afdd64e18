import type { Evaluation } from '../entities/evaluation.entity.ts';
import { newEvaluationId } from '../entities/id.ts';
import { newVersion } from '../entities/session.entity.ts';
import type { Decision } from '../policy/evaluate.ts';
import { phaseOf } from '../policy/event.ts';
import { elicitationFor } from './ask.ts';
import type { Call } from './call.ts';
import type { Entry, SessionChange } from './commit.ts';
import { denialOf } from './denial.ts';
import type { Gate } from './gate.ts';
import { written, writesNothing } from './session-row.ts';
import type { SessionView } from './session-view.ts';

interface Judged {
  readonly call: Call;
  readonly decision: Decision;
}

/**
 * What a decision writes. The view moves on at once, so that the next event is judged on what this one leaves, before the commit;
 * if the commit fails, whoever judged on the view fails with it. Null: the view moved on while the ask was prepared; judge again.
 */
export async function draftEntry(gate: Gate, view: SessionView, { call, decision }: Judged): Promise<Entry | null> {
  const expectedVersion = view.version;
  const elicitation = decision.verdict === 'ASK' ? await elicitationFor(gate, view, { decision, event: call.event }) : null;
  if (view.version !== expectedVersion) return null;
    const evaluation = { ...draftEvaluation(gate, view, { call, decision }), elicitation: elicitation?.row.id ?? null };
  return { evaluation, elicitation, session: moveOn(view, { decision, principalId: gate.principal.id }) };
}

/** Null: nothing of the session changes, and nothing depends on it staying as it is. */
function moveOn(view: SessionView, { decision, principalId }: { decision: Decision; principalId: string }): SessionChange | null {
  const writes = decision.verdict === 'ASK' ? null : decision.writes;
  const isNewEvaluator = !view.evaluators.includes(principalId);
  const changes = isNewEvaluator || (writes !== null && !writesNothing(writes));
  const isAhead = view.version !== view.committedVersion;
  if (!changes && !isAhead && decision.verdict !== 'ASK') return null;
  const expectedVersion = view.version;
  if (changes) {
    if (writes) Object.assign(view, written(view, writes));
    if (isNewEvaluator) view.evaluators = [...view.evaluators, principalId];
    view.version = newVersion();
  }
  const { version, labels, state, evaluators } = view;
  return { id: view.id, expectedVersion, next: { version, labels, state, evaluators } };
}

function draftEvaluation(gate: Gate, view: SessionView, { call, decision }: Judged): Evaluation {
  const now = gate.now();
  const id = newEvaluationId();
  const common = {
    id,
    session: view.id,
    principal: gate.principal,
    phase: phaseOf(call.event),
    event: call.event,
    idempotencyKey: call.idempotencyKey,
    model: call.caller.model,
    harness: call.caller.harness,
    elicitation: null,
    withheld: null,
    ticket: false,
    abandonAt: null,
    createdAt: now,
    decidedAt: now,
    status: 'DECIDED' as const,
  };
  switch (decision.verdict) {
    case 'ALLOW':
      return { ...common, verdict: 'ALLOW', decidedBy: 'POLICY', reason: null, decidingPolicies: [], data: decision.data };
    case 'DENY':
      return { ...common, ...denialOf(gate, common, decision), data: null };
    case 'ASK':
      return {
        ...common,
        verdict: 'ASK',
        status: 'AWAITING_APPROVAL',
        decidedBy: null,
        reason: decision.message,
        decidingPolicies: decision.policies,
        data: decision.data,
        withheld: decision.writes,
        ticket: call.waitSeconds !== null,
        decidedAt: null,
      };
    default:
      return decision satisfies never;
  }
}
