import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { newElicitationId } from '../entities/id.ts';
import { readRow } from '../entities/rows.ts';
import type { Decision } from '../policy/pass.ts';
import { phaseOf } from '../policy/event.ts';
import type { Call } from './call.ts';
import type { Entry } from './commit.ts';
import { settleExpired } from './settle-expired.ts';
import type { Gate } from './gate.ts';
import type { SessionView } from './session-view.ts';
import { below } from './masked-paths.ts';
import { contentPreviewOf } from './visible-text.ts';

type Asked = Extract<Decision, { verdict: 'ASK' }>;

/** The elicitation that an ask raises: a new one, or the session's pending one of the same checkpoint. */
export async function elicitationFor(gate: Gate, view: SessionView, { decision, call }: { decision: Asked; call: Call }): Promise<NonNullable<Entry['elicitation']>> {
  const pending = decision.checkpoint === null ? null : await pendingAt(gate, view, decision.checkpoint);
  return pending ? { kind: 'join', row: pending } : { kind: 'new', row: newElicitation(gate, view, { decision, call }) };
}

async function pendingAt(gate: Gate, view: SessionView, checkpoint: string): Promise<Elicitation | null> {
  const pending = await readRow(gate, ElicitationSchema, { session: view.id, checkpoint, settledAt: null });
  if (pending && pending.expiresAt <= gate.now()) {
    await settleExpired(gate, pending);
    return null;
  }
  return pending;
}

function newElicitation(gate: Gate, view: SessionView, { decision, call }: { decision: Asked; call: Call }): Elicitation {
  const { value: event, paths } = call.masked;
  const requestedAt = gate.now();
  return {
    id: newElicitationId(),
    session: view.id,
    message: decision.message,
    phase: phaseOf(event),
    policyNames: decision.policies,
    contentPreview: contentPreviewOf(event),
    event,
    digest: gate.digests.ofEvent(view.id, call.event),
    maskedPaths: below('/event', paths),
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
