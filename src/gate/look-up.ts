import { summedUsd } from '../entities/amount.ts';
import { dayOf } from '../entities/daily-cost.entity.ts';
import type { SessionId } from '../entities/id.ts';
import type { Tables } from '../entities/rows.ts';
import type { Principal } from '../entities/principal.ts';
import type { Phase } from '../policy/event.ts';
import type { CountedFactName, Facts } from '../policy/handler.ts';
import type { DailyCostFact, UsageFact } from '../policy/usage-facts.ts';
import type { Gate } from './gate.ts';
import type { SessionView } from './session-view.ts';

/** The facts that no view holds, because they change with every report of usage: of each event those that its policies need. */
export type LookedUp = Partial<Pick<Facts, CountedFactName>>;

export const nothingLookedUp: LookedUp = Object.freeze({});

type Reading = Pick<Gate, 'em' | 'now'>;

/** As the database has them now, so that whatever was recorded before the event came counts. */
export async function lookUp(gate: Reading, view: SessionView, phase: Phase): Promise<LookedUp> {
  const names = view.lookUps[phase];
  const usages = names.some((name) => name !== 'userDailyCost') ? await usagesOf(gate, view) : {};
  return names.includes('userDailyCost') ? { ...usages, userDailyCost: await dailyCostOf(gate, view.owner) } : usages;
}

/** Straight on Kysely: it is in the path of every event under a budget, and an entity costs several times what the row does. */
async function usagesOf({ em }: Reading, { id, lineage }: SessionView): Promise<Pick<Facts, 'usage' | 'subtreeUsage'>> {
  const root = lineage[0] ?? id;
  const rows = await em.getKysely<Tables>().selectFrom('session_usage').select(columns).where('session_id', 'in', root === id ? [id] : [root, id]).execute();
  const usageOf = (session: SessionId) => usageFact(rows.find((row) => row['session_id'] === session) ?? {});
  return { usage: usageOf(root), subtreeUsage: usageOf(id) };
}

const columns = [
  'session_id',
  'subtree_input_tokens as input_tokens',
  'subtree_output_tokens as output_tokens',
  'subtree_total_tokens as total_tokens',
  'subtree_cache_read_input_tokens as cache_read_input_tokens',
  'subtree_cache_creation_input_tokens as cache_creation_input_tokens',
  'subtree_total_cost_usd as total_cost_usd',
] as const;

/** No row: nothing was used, and nothing is what it cost. */
function usageFact(row: Readonly<Record<string, unknown>>): UsageFact {
  const tokens = {
    input_tokens: numberIn(row, 'input_tokens') ?? 0,
    output_tokens: numberIn(row, 'output_tokens') ?? 0,
    total_tokens: numberIn(row, 'total_tokens') ?? 0,
    cache_read_input_tokens: numberIn(row, 'cache_read_input_tokens') ?? 0,
    cache_creation_input_tokens: numberIn(row, 'cache_creation_input_tokens') ?? 0,
  };
  const cost = numberIn(row, 'total_cost_usd');
  if (cost !== null) return { ...tokens, total_cost_usd: summedUsd(cost) };
  return Object.values(tokens).some((count) => count > 0) ? tokens : { ...tokens, total_cost_usd: 0 };
}

async function dailyCostOf({ em, now }: Reading, { kind, id }: Principal): Promise<DailyCostFact> {
  const day = dayOf(now());
  const select = em.getKysely<Tables>().selectFrom('daily_cost').select(['cost_usd', 'ask_approved_usd']);
  const row = (await select.where('owner_kind', '=', kind).where('owner_id', '=', id).where('day', '=', day).executeTakeFirst()) ?? {};
  return { cost_usd: summedUsd(numberIn(row, 'cost_usd') ?? 0), ask_approved_usd: numberIn(row, 'ask_approved_usd') ?? 0, user_id: id, day };
}

function numberIn(row: Readonly<Record<string, unknown>>, column: string): number | null {
  const value = row[column];
  return typeof value === 'number' ? value : null;
}
