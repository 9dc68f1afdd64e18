import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { amount, summedUsd } from './amount.ts';
import type { SessionId } from './id.ts';
import { SessionSchema } from './session.entity.ts';

/** Tokens and cost so far. `totalCostUsd` null: nothing was priced yet. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly totalCostUsd: number | null;
}

/**
 * What a session has used, and what it and its descendants have used together; no row: nothing. Beside the session and not in it, because
 * it is only ever added to: a report waits for no verdict, and no verdict is judged again for a report.
 */
export const SessionUsageSchema = defineEntity({
  name: 'SessionUsage',
  tableName: 'session_usage',
  properties: {
    session: () => p.manyToOne(SessionSchema).mapToPk().$type<SessionId>().primary(),
    inputTokens: amount(),
    outputTokens: amount(),
    totalTokens: amount(),
    cacheReadInputTokens: amount(),
    cacheCreationInputTokens: amount(),
    totalCostUsd: amount().nullable(),
    subtreeInputTokens: amount(),
    subtreeOutputTokens: amount(),
    subtreeTotalTokens: amount(),
    subtreeCacheReadInputTokens: amount(),
    subtreeCacheCreationInputTokens: amount(),
    subtreeTotalCostUsd: amount().nullable(),
  },
});

export type SessionUsage = InferEntity<typeof SessionUsageSchema>;

/** What the session itself has used. */
export function ownUsage(row: SessionUsage | null | undefined): Usage {
  if (!row) return noUsage;
  const { inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheCreationInputTokens, totalCostUsd } = row;
  return { inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheCreationInputTokens, totalCostUsd: usd(totalCostUsd) };
}

/** What the session and its descendants have used. */
export function subtreeUsage(row: SessionUsage | null | undefined): Usage {
  if (!row) return noUsage;
  return {
    inputTokens: row.subtreeInputTokens,
    outputTokens: row.subtreeOutputTokens,
    totalTokens: row.subtreeTotalTokens,
    cacheReadInputTokens: row.subtreeCacheReadInputTokens,
    cacheCreationInputTokens: row.subtreeCacheCreationInputTokens,
    totalCostUsd: usd(row.subtreeTotalCostUsd),
  };
}

function usd(sum: number | null | undefined): number | null {
  return sum === null || sum === undefined ? null : summedUsd(sum);
}

const noUsage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, totalCostUsd: null };
