import { defineEntity, p } from '@mikro-orm/core';
import { amount } from './amount.ts';
import type { SessionId } from './id.ts';
import { SessionSchema } from './session.entity.ts';

/** A report of usage that came with an idempotency key: kept for good, so that it never counts twice. */
export const UsageReportSchema = defineEntity({
  name: 'UsageReport',
  tableName: 'usage_report',
  properties: {
    session: () => p.manyToOne(SessionSchema).mapToPk().$type<SessionId>().primary(),
    idempotencyKey: p.string().length(256).primary(),
    inputTokens: amount(),
    outputTokens: amount(),
    totalTokens: amount(),
    cacheReadInputTokens: amount(),
    cacheCreationInputTokens: amount(),
    /** Null: not priced. */
    costUsd: amount().nullable(),
    createdAt: p.datetime(3),
  },
});
