import type { ExpressionBuilder } from 'kysely';
import type { Statements, Tables } from '../entities/rows.ts';
import type { SessionId } from '../entities/id.ts';
import type { Principal } from '../entities/principal.ts';

/** What one report adds. `costUsd` null: it is not priced. */
export interface UsageDelta {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly costUsd: number | null;
}

/**
 * Adds to the session's own usage and to what it and each of its ancestors have used with their descendants: in the rows as they are then, in
 * one statement, from the root down. `lineage`: from the root to the session itself.
 */
export async function addUsage(lineage: readonly SessionId[], delta: UsageDelta, on: Statements): Promise<void> {
  const self = lineage.at(-1);
  const rows = lineage.map((id) => ({ session_id: id, ...columns('', id === self ? delta : nothing), ...columns('subtree_', delta) }));
  await on
    .insertInto('session_usage')
    .values(rows)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet((eb) => Object.fromEntries(addends.map((column) => [column, added(eb, 'session_usage', column)]))))
    .execute();
}

/** Adds to what the owner's sessions have cost on a day. */
export async function addDailyCost({ kind, id }: Principal, { day, costUsd }: { day: string; costUsd: number }, on: Statements): Promise<void> {
  await on
    .insertInto('daily_cost')
    .values({ owner_kind: kind, owner_id: id, day, cost_usd: costUsd, ask_approved_usd: 0 })
    .onConflict((conflict) => conflict.columns(['owner_kind', 'owner_id', 'day']).doUpdateSet((eb) => ({ cost_usd: added(eb, 'daily_cost', 'cost_usd') })))
    .execute();
}

/** Notes that a person has approved what the owner's sessions have cost on a day, up to a checkpoint. It never takes a higher one back. */
export async function approveDay({ kind, id }: Principal, { day, approvedUsd }: { day: string; approvedUsd: number }, on: Statements): Promise<void> {
  await on
    .insertInto('daily_cost')
    .values({ owner_kind: kind, owner_id: id, day, cost_usd: 0, ask_approved_usd: approvedUsd })
    .onConflict((conflict) => conflict.columns(['owner_kind', 'owner_id', 'day']).doUpdateSet((eb) => ({ ask_approved_usd: higher(eb, 'daily_cost', 'ask_approved_usd') })))
    .execute();
}

const nothing: UsageDelta = { inputTokens: 0, outputTokens: 0, totalTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, costUsd: null };

function columns(prefix: '' | 'subtree_', delta: UsageDelta): Record<string, number | null> {
  return {
    [`${prefix}input_tokens`]: delta.inputTokens,
    [`${prefix}output_tokens`]: delta.outputTokens,
    [`${prefix}total_tokens`]: delta.totalTokens,
    [`${prefix}cache_read_input_tokens`]: delta.cacheReadInputTokens,
    [`${prefix}cache_creation_input_tokens`]: delta.cacheCreationInputTokens,
    [`${prefix}total_cost_usd`]: delta.costUsd,
  };
}

const addends = [...Object.keys(columns('', nothing)), ...Object.keys(columns('subtree_', nothing))];

function higher(eb: ExpressionBuilder<Tables, string>, table: string, column: string) {
  const [stored, given] = [eb.ref(`${table}.${column}`), eb.ref(`excluded.${column}`)];
  return eb.case().when(given, '>', stored).then(given).else(stored).end();
}

/** The stored value and the new one; where one is null, the other. */
function added(eb: ExpressionBuilder<Tables, string>, table: string, column: string) {
  const [stored, given] = [eb.ref(`${table}.${column}`), eb.ref(`excluded.${column}`)];
  return eb.fn.coalesce(eb(stored, '+', given), stored, given);
}
