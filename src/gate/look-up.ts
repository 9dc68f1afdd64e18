import { DailyCostSchema, dayOf } from '../entities/daily-cost.entity.ts';
import { summedUsd } from '../entities/amount.ts';
import type { Principal } from '../entities/principal.ts';
import { SessionUsageSchema, subtreeUsage, type Usage } from '../entities/session-usage.entity.ts';
import type { Phase } from '../policy/event.ts';
import type { CountedFactName, Facts } from '../policy/handler.ts';
import type { DailyCostFact, UsageFact } from '../policy/usage-facts.ts';
import type { Gate } from './gate.ts';
import type { SessionView } from './session-view.ts';

/** The facts that no view holds, because they change with every report of usage: of each event those that its policies need. */
export type LookedUp = Partial<Pick<Facts, CountedFactName>>;

export const nothingLookedUp: LookedUp = Object.freeze({});

/** As the database has them now, so that whatever was recorded before the event came counts. */
export async function lookUp(gate: Pick<Gate, 'em' | 'now'>, view: SessionView, phase: Phase): Promise<LookedUp> {
  const names = view.lookUps[phase];
  const usages = names.some((name) => name !== 'userDailyCost') ? await usagesOf(gate, view) : null;
  const known: { -readonly [Name in CountedFactName]?: Facts[Name] } = {};
  for (const name of names) {
    if (name === 'userDailyCost') known.userDailyCost = await dailyCostOf(gate, view.owner);
    else known[name] = usages?.[name] ?? usageFact(subtreeUsage(null));
  }
  return known;
}

async function usagesOf({ em }: Pick<Gate, 'em'>, { id, lineage }: SessionView): Promise<Pick<Facts, 'usage' | 'subtreeUsage'>> {
  const root = lineage[0] ?? id;
  const rows = await em.find(SessionUsageSchema, { session: { $in: root === id ? [id] : [root, id] } });
  const factOf = (session: typeof id) => usageFact(subtreeUsage(rows.find((row) => row.session === session)));
  return { usage: factOf(root), subtreeUsage: factOf(id) };
}

async function dailyCostOf({ em, now }: Pick<Gate, 'em' | 'now'>, { kind, id }: Principal): Promise<DailyCostFact> {
  const day = dayOf(now());
  const row = await em.findOne(DailyCostSchema, { ownerKind: kind, ownerId: id, day });
  return { cost_usd: summedUsd(row?.costUsd ?? 0), ask_approved_usd: row?.askApprovedUsd ?? 0, user_id: id, day };
}

function usageFact({ inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheCreationInputTokens, totalCostUsd }: Usage): UsageFact {
  const tokens = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: totalTokens,
    cache_read_input_tokens: cacheReadInputTokens,
    cache_creation_input_tokens: cacheCreationInputTokens,
  };
  if (totalCostUsd !== null) return { ...tokens, total_cost_usd: totalCostUsd };
  return Object.values(tokens).some((count) => count > 0) ? tokens : { ...tokens, total_cost_usd: 0 };
}
