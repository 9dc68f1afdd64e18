import { z } from 'zod';
import type { CountedFactName, Facts } from './handler.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { paramsIssues, type ParamsIssue } from './params-issues.ts';
import type { UsageFact } from './usage-facts.ts';

/**
 * The usage to simulate, spelled as in the API (`totalCostUsd`) or as policies see it (`total_cost_usd`): that of the session tree,
 * `subtreeUsage` that of the session and its descendants, `userDailyCost` the owner's of the day. Where the latter two are left out, the
 * session is all there is: they are the same. Tokens without a cost are tokens whose price nobody knows.
 */
export function readSimulatedUsage(usage: JsonObject, userId: string): SimulatedUsage {
  const parsed = simulatedUsage.safeParse(inSnakeCase(usage), { reportInput: true });
  if (!parsed.success) return { kind: 'invalid', issues: paramsIssues(parsed.error, knownKeys) };
  const { subtree_usage: subtree, user_daily_cost: daily, ...own } = parsed.data;
  const { ask_approved_usd = 0, user_id = userId, day = anyDay, cost_usd = own.total_cost_usd ?? 0 } = daily ?? {};
  return { kind: 'read', facts: { usage: factOf(own), subtreeUsage: factOf(subtree ?? own), userDailyCost: { cost_usd, ask_approved_usd, user_id, day } } };
}

export type SimulatedUsage =
  | { readonly kind: 'read'; readonly facts: Pick<Facts, CountedFactName> }
  | { readonly kind: 'invalid'; readonly issues: readonly ParamsIssue[] };

/** A simulation is the same on every day. */
const anyDay = '1970-01-01';

const tokens = z.number().int().nonnegative('Expected 0 or more.').optional();
const usd = z.number().nonnegative('Expected 0 or more.');

const amounts = z.strictObject({
  input_tokens: tokens,
  output_tokens: tokens,
  total_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  total_cost_usd: usd.nullish(),
});

const dailyCost = z.strictObject({ cost_usd: usd.optional(), ask_approved_usd: usd.optional(), user_id: z.string().optional(), day: z.iso.date('Expected a day such as 2026-08-14.').optional() });

const simulatedUsage = amounts.extend({ subtree_usage: amounts.nullish(), user_daily_cost: dailyCost.nullish() });

const knownKeys = JSON.parse(JSON.stringify(z.toJSONSchema(simulatedUsage))) as JsonObject;

function factOf(used: z.output<typeof amounts>): UsageFact {
  const { input_tokens = 0, output_tokens = 0, total_tokens = input_tokens + output_tokens, cache_read_input_tokens = 0, cache_creation_input_tokens = 0 } = used;
  const counts = { input_tokens, output_tokens, total_tokens, cache_read_input_tokens, cache_creation_input_tokens };
  const isUnpriced = (used.total_cost_usd ?? null) === null && Object.values(counts).some((count) => count > 0);
  return isUnpriced ? counts : { ...counts, total_cost_usd: used.total_cost_usd ?? 0 };
}

function inSnakeCase(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([key, member]): [string, Json] => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    isJsonObject(member) ? inSnakeCase(member) : member,
  ]);
  return Object.fromEntries(entries);
}
