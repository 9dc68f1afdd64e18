import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { newElicitationId } from '../entities/id.ts';
import type { Decision } from '../policy/evaluate.ts';
import { phaseOf, type PolicyEvent } from '../policy/event.ts';
import type { Entry } from './commit.ts';
import { digestOf } from './digest.ts';
import { settleExpired } from './settle-expired.ts';
import type { Gate } from './gate.ts';
import type { SessionView } from './session-view.ts';
import { contentPreviewOf, visibleMessage } from './visible-text.ts';

type Asked = Extract<Decision, { verdict: 'ASK' }>;

/** The elicitation that an ask raises: a new one, or the session's pending one of the same checkpoint. */
export async function elicitationFor(gate: Gate, view: SessionView, { decision, event }: { decision: Asked; event: PolicyEvent }): Promise<NonNullable<Entry['elicitation']>> {
  const pending = decision.checkpoint === null ? null : await pendingAt(gate, view, decision.checkpoint);
  return pending ? { kind: 'join', row: pending } : { kind: 'new', row: newElicitation(gate, view, { decision, event }) };
}

async function pendingAt(gate: Gate, view: SessionView, checkpoint: string): Promise<Elicitation | null> {
  const pending = await gate.em.findOne(ElicitationSchema, { session: view.id, checkpoint, settledAt: null });
  if (pending && pending.expiresAt <= gate.now()) {
    await settleExpired(gate, pending);
    return null;
  }
  return pending;
}

function newElicitation(gate: Gate, view: SessionView, { decision, event }: { decision: Asked; event: PolicyEvent }): Elicitation {
  const requestedAt = gate.now();
  return {
    id: newElicitationId(),
    session: view.id,
    message: visibleMessage(decision.message),
    phase: phaseOf(event),
    policyNames: decision.policies,
    contentPreview: contentPreviewOf(event),
    event,
    digest: digestOf(view.id, event),
    requestedSchema: decision.requestedSchema,
    checkpoint: decision.checkpoint,
    requestedAt,
    expiresAt: new Date(requestedAt.getTime() + (decision.askTimeoutSeconds ?? view.askTimeoutSeconds) * 1000),
    settledAt: null,
    action: null,
    content: null,
    comment: null,
    editedArguments: null,
    resolvedBy: null,
  };
}
