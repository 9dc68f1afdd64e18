import { evaluate, type Decision } from '../policy/evaluate.ts';
import type { PolicyEvent } from '../policy/event.ts';
import { gatherFacts, type Caller } from './gather-facts.ts';
import type { SessionView } from './session-view.ts';

/** All policies of the session on one event, with the facts as they are now. Writes nothing. */
export function judgeEvent(view: SessionView, event: PolicyEvent, { caller, clock }: { caller: Caller; clock?: () => number }): Decision {
  const { policies, labelValues } = view;
  return evaluate({ event, facts: gatherFacts(view, caller), policies, labelValues, ...(clock ? { clock } : {}) });
}
