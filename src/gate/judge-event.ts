import { evaluateOrAsk, type Decision } from '../policy/evaluate.ts';
import type { PolicyEvent } from '../policy/event.ts';
import type { OpenQuestion } from '../policy/model-question.ts';
import type { Consultation } from './consultation.ts';
import { gatherFacts, type Caller } from './gather-facts.ts';
import type { Ready } from './ready.ts';

export interface How {
  readonly caller: Caller;
  readonly consultation: Consultation;
  readonly clock?: () => number;
}

/** All policies of the session on one event, with the facts as they are now. Writes nothing. An open question is to be put to the consultation; then judge anew. */
export function judgeEvent({ view, lookedUp }: Ready, event: PolicyEvent, { caller, consultation, clock }: How): Decision | OpenQuestion {
  const { policies, labelValues } = view;
  return evaluateOrAsk({ event, facts: gatherFacts(view, { caller, lookedUp }), policies, labelValues, ...(clock ? { clock } : {}) }, consultation.answerTo);
}
