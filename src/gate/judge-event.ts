import { setImmediate } from 'node:timers/promises';
import { evaluateInSteps } from '../policy/evaluate.ts';
import type { Decision } from '../policy/pass.ts';
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

/**
 * All policies of the session on one event, with the facts as they are now. Writes nothing. An open question is to be put to the
 * consultation; then judge anew. At once where that takes little time; else a promise, and others run between two policies: then
 * the session may have moved on meanwhile, and whoever writes on it must look.
 */
export function judgeEvent({ view, lookedUp }: Ready, event: PolicyEvent, { caller, consultation, clock }: How): Decision | OpenQuestion | Promise<Decision | OpenQuestion> {
  const { policies, labelValues } = view;
  const pass = { event, facts: gatherFacts(view, { caller, lookedUp }), policies, labelValues, ...(clock ? { clock } : {}) };
  const steps = evaluateInSteps(pass, consultation.answerTo);
  return runSlice(steps) ?? runSlices(steps);
}

type Steps = ReturnType<typeof evaluateInSteps>;

/** Null: the time is up before the pass is over. */
function runSlice(steps: Steps): Decision | OpenQuestion | null {
  const startedAt = performance.now();
  do {
    const step = steps.next();
    if (step.done) return step.value;
  } while (performance.now() - startedAt < sliceMilliseconds);
  return null;
}

async function runSlices(steps: Steps): Promise<Decision | OpenQuestion> {
  for (;;) {
    await setImmediate();
    const over = runSlice(steps);
    if (over) return over;
  }
}

const sliceMilliseconds = 10;
