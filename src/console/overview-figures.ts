import type { Elicitation } from '../sdk/index.ts';

export const daysMax = 14;

export interface Counts {
  readonly total: number;
  readonly accepted: number;
  readonly declined: number;
  readonly expired: number;
}

export interface Figures {
  readonly total: number;
  /** Whether all of the time is in it. */
  readonly isWhole: boolean;
  readonly decided: number;
  /** From ask to answer; null: nobody has answered. */
  readonly medianMilliseconds: number | null;
  /** Of those that do not wait any more. */
  readonly expiredShare: number;
  /** Each of the last days, the oldest first. */
  readonly days: readonly { readonly label: string; readonly counts: Counts }[];
  /** Most asks first. */
  readonly policies: readonly { readonly name: string; readonly counts: Counts }[];
}

/** Counts what was asked in the last days, by the days of the reader's clock. */
export function figuresOf(elicitations: readonly Elicitation[], { now, isWhole }: { readonly now: Date; readonly isWhole: boolean }): Figures {
  const settled = elicitations.filter(({ status }) => status !== 'PENDING');
  const answered = elicitations.filter(({ status }) => status === 'ACCEPTED' || status === 'DECLINED');
  const waits = answered.flatMap(({ requestedAt, resolution }) => (resolution ? [Date.parse(resolution.at) - Date.parse(requestedAt)] : [])).toSorted((a, b) => a - b);
  const byDay = Map.groupBy(elicitations, ({ requestedAt }) => new Date(requestedAt).toDateString());
  const names = [...new Set(elicitations.flatMap(({ policyNames }) => policyNames))];
  return {
    total: elicitations.length,
    isWhole,
    decided: answered.length,
    medianMilliseconds: waits[Math.floor(waits.length / 2)] ?? null,
    expiredShare: settled.length === 0 ? 0 : countsOf(settled).expired / settled.length,
    days: Array.from({ length: daysMax }, (_, index) => {
      const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (daysMax - 1 - index));
      return { label: `${day.getDate()}.${day.getMonth() + 1}.`, counts: countsOf(byDay.get(day.toDateString()) ?? []) };
    }),
    policies: names.map((name) => ({ name, counts: countsOf(elicitations.filter(({ policyNames }) => policyNames.includes(name))) })).toSorted((a, b) => b.counts.total - a.counts.total),
  };
}

function countsOf(elicitations: readonly Elicitation[]): Counts {
  const count = (wanted: Elicitation['status']) => elicitations.filter(({ status }) => status === wanted).length;
  return { total: elicitations.length, accepted: count('ACCEPTED'), declined: count('DECLINED'), expired: count('EXPIRED') };
}
