import type { SessionId } from '../entities/id.ts';
import { OpenQuestion } from '../policy/model-question.ts';
import type { Decision } from '../policy/pass.ts';
import type { PolicyEvent } from '../policy/event.ts';
import { Consultation } from './consultation.ts';
import type { Caller } from './gather-facts.ts';
import type { Gate } from './gate.ts';
import { judgeEvent } from './judge-event.ts';
import type { JudgedUnder } from './policy-epoch.ts';
import { ready } from './ready.ts';

export interface Judging {
  readonly sessionId: SessionId;
  readonly event: PolicyEvent;
  readonly caller: Caller;
  readonly clock?: () => number;
}

/** A decision, and what it was made under: under anything else it must be made again. */
export interface Judged {
  readonly kind: 'judged';
  readonly decision: Decision;
  readonly under: JudgedUnder;
  /** Of all policies of the session, in evaluation order. */
  readonly names: readonly string[];
}

/** All policies of the session on one event. Where one asks the model, the event is judged anew with its answer, on the session as it is then. */
export async function judgeNow(gate: Gate, { sessionId, event, caller, clock }: Judging): Promise<Judged | { kind: 'noSession' } | { kind: 'stopped' }> {
  const consultation = new Consultation(gate, gate.signal);
  gate.views.refresh(sessionId);
  for (;;) {
    const found = await ready(gate, sessionId, event);
    if (!found) return { kind: 'noSession' };
    const { version, epoch } = found.view;
    const names = found.view.policies.map(({ name }) => name);
    const decision = await judgeEvent(found, event, { caller, consultation, ...(clock ? { clock } : {}) });
    if (!(decision instanceof OpenQuestion)) return { kind: 'judged', decision, under: { version, epoch }, names };
    if ((await consultation.ask(decision.question)) === 'stopped') return { kind: 'stopped' };
  }
}
