import type { FactName, Facts } from '../handler.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** The facts that an event's `context` tells, in its own spelling and as it has them: vectors hold malformed ones on purpose. */
export function factsOfContext(context: Json, state: JsonObject): Facts {
  const known = isJsonObject(context) ? context : {};
  const facts: { readonly [Name in FactName]: Json } = {
    state,
    labels: known['labels'] ?? {},
    model: known['model'] ?? null,
    harness: known['harness'] ?? null,
    actor: known['actor'] ?? {},
    usage: known['usage'] ?? {},
    subtreeUsage: known['subtree_usage'] ?? {},
    userDailyCost: known['user_daily_cost'] ?? {},
  };
  return facts as unknown as Facts;
}
