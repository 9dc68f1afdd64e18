import type { Decision } from '../policy/pass.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { judgeNow } from './judge-now.ts';
import { maskedDecision } from './masked-decision.ts';
import { notFound, type InvalidInput, type NotFound } from './outcome.ts';
import { parseEvent, type PolicyEventInput } from './parse-event.ts';

export interface PreviewEvaluationInput {
  readonly sessionId: string;
  readonly event: PolicyEventInput;
}

/** What `evaluatePolicy` would answer now, and how it would come about. Writes nothing, asks nobody but the model. */
export async function previewEvaluation(gate: Gate, input: PreviewEvaluationInput): Promise<{ kind: 'previewed'; decision: Decision } | InvalidInput | NotFound> {
  const session = await find.session(gate, input.sessionId);
  if (!session) return notFound('session', input.sessionId);
  const event = parseEvent(input.event);
  if (event.kind === 'invalidInput') return event;
  const clock = () => performance.now() * 1000;
  const judged = await judgeNow(gate, { sessionId: session.id, event: event.value, caller: { model: null, harness: null }, clock });
  if (judged.kind === 'stopped') throw new Error('The call or the server ended before the model had answered.');
  if (judged.kind === 'noSession') return notFound('session', input.sessionId);
  return { kind: 'previewed', decision: maskedDecision(gate, judged.decision, gate.masking.event(event.value).secrets).decision };
}
