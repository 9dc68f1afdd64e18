import { isDeepStrictEqual } from 'node:util';
import type { Fleet } from './fleet.ts';
import type { Call, Intent, Ledger, Stay } from './ledger.ts';
import type { StoredCall } from './stored.ts';

/** Status, verdict, who decided, and the action of the elicitation. */
type Ending = readonly [string, string, string | null, string | null];

const accepted: Ending = ['DECIDED', 'ALLOW', 'PERSON', 'ACCEPT'];
const declined: Ending = ['DECIDED', 'DENY', 'PERSON', 'DECLINE'];
const expired: Ending = ['DECIDED', 'DENY', 'EXPIRY', null];
const abandoned: Ending = ['ABANDONED', 'DENY', 'CANCELLATION', 'CANCEL'];
/** With its session. */
const cancelled: Ending = ['DECIDED', 'DENY', 'CANCELLATION', 'CANCEL'];

const endings: Record<Intent, readonly Ending[]> = {
  allowed: [['DECIDED', 'ALLOW', 'POLICY', null]],
  denied: [['DECIDED', 'DENY', 'POLICY', null]],
  accepted: [accepted],
  declined: [declined],
  disputed: [accepted, declined],
  edited: [accepted],
  bulk: [accepted],
  doubled: [accepted],
  patient: [accepted],
  ticket: [accepted],
  overdue: [expired],
  left: [expired],
  waiting: [['AWAITING_APPROVAL', 'ASK', null, null], cancelled],
  withdrawn: [abandoned],
  deserted: [abandoned, cancelled],
};

/** Every call has one fate, the one it must have, and everybody was told that one. */
export function brokenFates({ calls, accepts, resolved }: Ledger, stored: readonly StoredCall[]): string[] {
  const broken: string[] = [];
  const rows = Map.groupBy(stored, ({ key }) => key);
  for (const call of calls.values()) {
    const of = rows.get(call.key) ?? [];
    if (of.length !== 1 && !(of.length === 0 && call.intent === 'deserted')) broken.push(`${call.key} has ${of.length} evaluations`);
    for (const row of of) broken.push(...brokenFate(call, row, accepts));
  }
  for (const { key } of stored) if (!calls.has(key)) broken.push(`nobody asked for ${key}`);
  const asked = stored.flatMap(({ elicitation }) => elicitation ?? []);
  if (new Set(asked).size !== asked.length) broken.push('two calls share an elicitation');

  const byElicitation = new Map(stored.map((row) => [row.elicitation, row]));
  for (const { elicitationId, action, by, type, status } of resolved) {
    const row = byElicitation.get(elicitationId);
    if (type === 'Elicitation' && (row?.action !== action || row.resolvedBy !== by || status !== (action === 'ACCEPT' ? 'ACCEPTED' : 'DECLINED'))) {
      broken.push(`${by} was told that its ${action} of ${String(row?.key)} counts (${status}), but ${String(row?.resolvedBy)} decided ${String(row?.action)}`);
    }
  }
  return broken;
}

function brokenFate({ key, intent, sessionId, told }: Call, row: StoredCall, accepts: ReadonlySet<string>): string[] {
  const broken: string[] = [];
  const ending: Ending = [row.status, row.verdict, row.decidedBy, row.action];
  if (!endings[intent].some((each) => isDeepStrictEqual(each, ending))) broken.push(`${key} ended as ${JSON.stringify(ending)}`);
  if (row.session !== sessionId) broken.push(`${key} is in another session`);
  if (row.elicitation !== null && row.command !== key) broken.push(`${key} asked about ${String(row.command)}`);
  if (row.verdict === 'ALLOW' && row.decidedBy !== 'POLICY' && !accepts.has(row.elicitation ?? '')) broken.push(`${key} was allowed though nobody accepted`);
  if ((row.data !== null) !== (intent === 'edited')) broken.push(`${key} has the data ${JSON.stringify(row.data)}`);
  const { id, verdict, status, decidedBy } = row;
  for (const answer of told) {
    if (!isDeepStrictEqual({ ...answer }, { __typename: 'Evaluation', id, verdict, status, decidedBy, data: row.data })) broken.push(`${key} is ${id} ${JSON.stringify(ending)}, and its caller was told ${JSON.stringify(answer)}`);
  }
  return broken;
}

/** As long as a loss of events may last before it is made good; a stop of the server comes before it. */
const resyncMilliseconds = 18_000;
/** Of clocks, and of the way from a connection to its subscription. */
const leewayMilliseconds = 5000;

/**
 * No connection shows an elicitation twice, or to whom it does not concern; and each shows what waited for long enough while it was there,
 * and, from `calmFrom` on, all that came.
 */
export function brokenStays({ stays, ownerOf }: Ledger, stored: readonly StoredCall[], { calmFrom, end }: { calmFrom: number; end: number }): string[] {
  const asked = stored.filter(({ elicitation }) => elicitation !== null);
  const ownerOfElicitation = new Map(asked.map(({ elicitation, session }) => [elicitation, ownerOf.get(session)]));
  const mustSee = ({ from, until }: Stay, { requestedAt, settledAt }: StoredCall): boolean => {
    const there = { from: Math.max(from, requestedAt ?? 0), until: Math.min(until, settledAt ?? end) };
    if (there.until - there.from > resyncMilliseconds) return true;
    return (requestedAt ?? 0) > Math.max(calmFrom + resyncMilliseconds, from + leewayMilliseconds) && (requestedAt ?? 0) < Math.min(until, end) - leewayMilliseconds;
  };
  const broken: string[] = [];
  for (const stay of stays) {
    const shown = new Set(stay.shown);
    if (shown.size !== stay.shown.length) broken.push(`${stay.watcher} was shown one elicitation twice over one connection`);
    if (stay.owner !== null && stay.shown.some((id) => ownerOfElicitation.get(id) !== stay.owner)) broken.push(`${stay.watcher} was shown what is not its own`);
    for (const row of asked) {
      if (stay.owner !== null && ownerOf.get(row.session) !== stay.owner) continue;
      if (mustSee(stay, row) && !shown.has(row.elicitation ?? '')) broken.push(`${stay.watcher} was not shown ${row.key}, over a connection of ${Math.round((Math.min(stay.until, end) - stay.from) / 1000)} s`);
    }
  }
  return broken;
}

/** What policies wanted written was written once for each allowed call, and the events of a session tell each thing once. */
export async function brokenCounts({ query }: Fleet, stored: readonly StoredCall[]): Promise<string[]> {
  const broken: string[] = [];
  const sessions = await query<{ id: string; count: number }>(`select id, coalesce(cast(state ->> '_policy_tool_call_count' as int), 0) as count from session`);
  const allowed = Map.groupBy(stored.filter(({ verdict }) => verdict === 'ALLOW'), ({ session }) => session);
  for (const { id, count } of sessions) if (count !== (allowed.get(id)?.length ?? 0)) broken.push(`${id} has counted ${count} calls, and ${allowed.get(id)?.length ?? 0} were allowed`);
  const judged = await query<{ id: string; count: number }>(`select v.id, count(e.position)::int as count from evaluation v left join session_event e on e.subject = v.id and e.type = 'EVALUATION_JUDGED' group by v.id having count(e.position) <> 1`);
  for (const { id, count } of judged) broken.push(`that ${id} was judged is told ${count} times`);
  const settled = await query<{ id: string; asked: number; ended: number }>(`
    select * from (select c.id, c.settled_at, count(*) filter (where e.type = 'ELICITATION_REQUESTED')::int as asked, count(*) filter (where e.type in ('ELICITATION_RESOLVED', 'ELICITATION_EXPIRED'))::int as ended
      from elicitation c left join session_event e on e.subject = c.id group by c.id) as told
    where asked <> 1 or ended <> (case when settled_at is null then 0 else 1 end)`);
  for (const { id, asked, ended } of settled) broken.push(`that ${id} was asked is told ${asked} times, that it ended ${ended} times`);
  const [elicitations] = await query<{ count: number }>('select count(*)::int as count from elicitation');
  const asked = stored.filter(({ elicitation }) => elicitation !== null).length;
  if (elicitations?.count !== asked) broken.push(`there are ${String(elicitations?.count)} elicitations for ${asked} calls`);
  return broken;
}
