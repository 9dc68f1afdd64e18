import type { Fleet } from './fleet.ts';

/** An evaluation with its elicitation, as they are stored. Times are milliseconds since 1970, by the clocks of servers. */
export interface StoredCall {
  readonly key: string;
  readonly id: string;
  readonly session: string;
  readonly verdict: string;
  readonly status: string;
  readonly decidedBy: string | null;
  readonly data: object | null;
  readonly elicitation: string | null;
  readonly action: string | null;
  readonly resolvedBy: string | null;
  readonly command: string | null;
  readonly requestedAt: number | null;
  readonly settledAt: number | null;
}

export function readCalls({ query }: Fleet): Promise<StoredCall[]> {
  return query(`
    select v.idempotency_key as key, v.id, v.session_id as session, v.verdict, v.status, v.decided_by as "decidedBy", v.data,
      e.id as elicitation, e.action, e.resolved_by ->> 'name' as "resolvedBy", e.event -> 'data' -> 'arguments' ->> 'command' as command,
      (extract(epoch from e.requested_at) * 1000)::float8 as "requestedAt", (extract(epoch from e.settled_at) * 1000)::float8 as "settledAt"
    from evaluation v left join elicitation e on e.id = v.elicitation_id`);
}

/** How many calls still wait, of those that their callers hold or have left. */
export async function countHeld({ query }: Fleet): Promise<number> {
  const [row] = await query<{ count: number }>(`select count(*)::int as count from evaluation where status = 'AWAITING_APPROVAL' and not ticket`);
  return row?.count ?? 0;
}
