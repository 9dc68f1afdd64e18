import { z } from 'zod';
import type { Decision } from '../policy/pass.ts';
import type { Json } from '../policy/json.ts';
import { simulate } from '../policy/simulate.ts';
import { Consultation } from './consultation.ts';
import type { Gate } from './gate.ts';
import { jsonObject, parse, shortText } from './input.ts';
import { maskedDecision } from './masked-decision.ts';
import { invalidInput, type InvalidInput } from './outcome.ts';
import { parseEvent, type PolicyEventInput } from './parse-event.ts';

export interface SimulatePolicyInput {
  readonly handler: string;
  readonly params?: JsonInput;
  readonly event: PolicyEventInput;
  readonly state?: JsonInput;
  readonly labels?: JsonInput;
  readonly usage?: JsonInput;
  readonly model?: string | null | undefined;
}

type JsonInput = { readonly [key: string]: Json } | null | undefined;

/** What a policy with this handler would make of the event, were the session as given. Reads and writes nothing, asks nobody but the model. */
export async function simulatePolicy(gate: Gate, input: SimulatePolicyInput): Promise<{ kind: 'simulated'; decision: Decision } | InvalidInput> {
  const event = parseEvent(input.event);
  if (event.kind === 'invalidInput') return event;
  const given = parse(situation, input);
  if (given.kind === 'invalidInput') return given;
  const { params = null, ...rest } = given.value;
  const simulation = { ...rest, params, event: event.value, runAs: gate.principal.id, clock: () => performance.now() * 1000 };
  const consultation = new Consultation(gate, gate.signal);
  for (;;) {
    const simulated = simulate(simulation, gate.registry, consultation.answerTo);
    if (simulated.kind === 'unfit') return invalidInput(simulated.issues);
    if (simulated.kind === 'simulated') return { kind: 'simulated', decision: maskedDecision(gate, simulated.decision, gate.masking.event(event.value).secrets).decision };
    if ((await consultation.ask(simulated.question)) === 'stopped') throw new Error('The call or the server ended before the model had answered.');
  }
}

const situation = z.object({
  handler: shortText,
  params: jsonObject.nullish(),
  state: jsonObject.nullish(),
  labels: jsonObject.nullish(),
  usage: jsonObject.nullish(),
  model: shortText.nullish(),
});
