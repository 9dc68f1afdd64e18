import { defineEntity, p } from '@mikro-orm/core';
import { amount } from './amount.ts';
import type { PrincipalKind } from './principal.ts';

/** What one owner's sessions have cost on one day, and the highest checkpoint of that day which a person has approved. No row: nothing. */
export const DailyCostSchema = defineEntity({
  name: 'DailyCost',
  tableName: 'daily_cost',
  properties: {
    ownerKind: p.string().length(16).$type<PrincipalKind>().primary(),
    ownerId: p.string().length(256).primary(),
    /** As `dayOf` gives it. */
    day: p.string().length(10).primary(),
    costUsd: amount(),
    askApprovedUsd: amount(),
  },
});

/** The day of a moment, in UTC: `2026-08-14`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
