import { evaluate, type Decision, type Facts, type Handler, type JsonObject, type PolicyEvent, type UsageFact } from '../../../../src/policy/index.ts';
import { facts, passOf, policy, toolCall, usage } from '../../support/pass.ts';

/** What a budget with these params decides on a call of Bash, or on another event. */
export function decide(handler: Handler, params: JsonObject, { event = toolCall('Bash'), ...known }: { event?: PolicyEvent } & Unchecked = {}): Decision {
  const built = handler.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return evaluate(passOf([policy('budget', null, { judge: built.judge })], { event, facts: facts(known as Partial<Facts>) }));
}

/** Facts as an embedder without types may give them. */
type Unchecked = { readonly [Name in keyof Facts]?: unknown };

/** So much money for a thousand tokens; undefined: they have no price. */
export function spent(usd: unknown): UsageFact {
  const { total_cost_usd: _, ...tokens } = usage({ input_tokens: 900, output_tokens: 100, total_tokens: 1000 });
  return (usd === undefined ? tokens : { ...tokens, total_cost_usd: usd }) as UsageFact;
}
