import { isSessionId } from '../entities/id.ts';
import type { Decision } from '../policy/evaluate.ts';
import type { Gate } from './gate.ts';
import { judgeEvent } from './judge-event.ts';
import { notFound, type InvalidInput, type NotFound } from './outcome.ts';
import { parseEvent, type PolicyEventInput } from './parse-event.ts';

export interface PreviewEvaluationInput {
  readonly sessionId: string;
  readonly event: PolicyEventInput;
}

/** What `evaluatePolicy` would answer now, and how it would come about. Writes nothing, asks nobody. */
export async function previewEvaluation(gate: Gate, input: PreviewEvaluationInput): Promise<{ kind: 'previewed'; decision: Decision } | InvalidInput | NotFound> {
  if (!isSessionId(input.sessionId)) return notFound('session', input.sessionId);
  const event = parseEvent(input.event);
  if (event.kind === 'invalidInput') return event;
  const view = await gate.views.load(input.sessionId, gate.em);
  if (!view) return notFound('session', input.sessionId);
  const clock = () => performance.now() * 1000;
  return { kind: 'previewed', decision: judgeEvent(view, event.value, { caller: { model: null, harness: null }, clock }) };
}
