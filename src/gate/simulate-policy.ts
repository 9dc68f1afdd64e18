import { z } from 'zod';
import type { Decision } from '../policy/evaluate.ts';
import type { Json } from '../policy/json.ts';
import { simulate } from '../policy/simulate.ts';
import type { Gate } from './gate.ts';
import { jsonObject, parse, shortText } from './input.ts';
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

/** What a policy with this handler would make of the event, were the session as given. Reads and writes nothing, asks nobody. */
export async function simulatePolicy({ registry, principal }: Pick<Gate, 'registry' | 'principal'>, input: SimulatePolicyInput): Promise<{ kind: 'simulated'; decision: Decision } | InvalidInput> {
  const event = parseEvent(input.event);
  if (event.kind === 'invalidInput') return event;
  const given = parse(situation, input);
  if (given.kind === 'invalidInput') return given;
  const clock = () => performance.now() * 1000;
  const { params = null, ...rest } = given.value;
  const simulated = simulate({ ...rest, params, event: event.value, runAs: principal.id, clock }, registry, () => notConfigured);
  if (simulated.kind === 'unfit') return invalidInput(simulated.issues);
  if (simulated.kind === 'openQuestion') throw new Error('A simulation has an answer to every question.');
  return simulated;
}

const notConfigured = { kind: 'notConfigured' } as const;

const situation = z.object({
  handler: shortText,
  params: jsonObject.nullish(),
  state: jsonObject.nullish(),
  labels: jsonObject.nullish(),
  usage: jsonObject.nullish(),
  model: shortText.nullish(),
});
