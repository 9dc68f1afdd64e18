import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Dialect } from '../entities/dialect.ts';
import type { ElicitationId, SessionId } from '../entities/id.ts';
import type { Principal } from '../entities/principal.ts';
import { inboxEventTypes, type InboxEventType, type SessionEventType } from '../entities/session-event.entity.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import type { Place } from './place.ts';

/** An event as it is stored. */
export interface SessionEventRow {
  readonly place: Place;
  readonly sessionId: SessionId;
  readonly type: SessionEventType;
  readonly subject: string | null;
  readonly name: string | null;
  readonly actor: Principal | null;
  readonly at: Date;
}

/** An event of an elicitation, which is its subject. */
export interface InboxEventRow extends SessionEventRow {
  readonly type: InboxEventType;
  readonly subject: ElicitationId;
}

type Database = { readonly em: SqlEntityManager; readonly dialect: Pick<Dialect, 'isAfter' | 'eventOrder' | 'isSettled' | 'head'> };

interface Raw {
  readonly transaction_id: number | string;
  readonly position: number | string;
}

interface RawEvent extends Raw {
  readonly session_id: SessionId;
  readonly type: SessionEventType;
  readonly subject: string | null;
  readonly name: string | null;
  readonly actor: Principal | string | null;
  readonly at: number | string;
}

/** The next events after a place, of one session, in order. None is given before whatever could still come before it. */
export async function eventsAfter({ em, dialect }: Database, { transactionId, position }: Place, { sessionId, limit }: { readonly sessionId: SessionId; readonly limit: number }): Promise<SessionEventRow[]> {
  const rows = await em
    .getConnection()
    .execute<RawEvent[]>(`select * from session_event where session_id = ? and ${dialect.isAfter} and ${dialect.isSettled} order by ${dialect.eventOrder} limit ?`, [sessionId, transactionId, position, limit]);
  return rows.map(eventOf);
}

/** In the words of its index: a parameter would hide from SQLite that the index has them all. */
const isOfInbox = `type in (${inboxEventTypes.map((type) => `'${type}'`).join(', ')})`;

/** The next events after a place, of all sessions, that concern whoever decides; in order. None is given before whatever could still come before it. */
export async function inboxEventsAfter({ em, dialect }: Database, { transactionId, position }: Place, { limit }: { readonly limit: number }): Promise<InboxEventRow[]> {
  const rows = await em
    .getConnection()
    .execute<RawEvent[]>(`select * from session_event where ${isOfInbox} and ${dialect.isAfter} and ${dialect.isSettled} order by ${dialect.eventOrder} limit ?`, [transactionId, position, limit]);
  return rows.map((row) => eventOf(row) as InboxEventRow);
}

/** Before the first event of whatever is pending, so that all of it is told from there on. Where the event of one is not kept any more: before all there was. Null: nothing is pending. */
export async function placeBeforePending({ em, dialect }: Database): Promise<Place | null> {
  const [row] = await em
    .getConnection()
    .execute<Raw[]>(
      `select transaction_id, position - 1 as position from elicitation left join session_event on session_event.subject = elicitation.id and session_event.type = 'ELICITATION_REQUESTED' where settled_at is null order by position is not null, ${dialect.eventOrder} limit 1`,
    );
  return row ? placeOf(row) : null;
}

/** Not the column itself: SQLite would take the order of its index for the groups, and go through all events there are. */
const eachSession = "session_id || ''";

/** What happened after a place: the sessions, and whether any of it concerns whoever decides. */
export async function newsAfter({ em, dialect }: Database, { transactionId, position }: Place): Promise<{ readonly sessions: readonly SessionId[]; readonly isOfInbox: boolean }> {
  const rows = await em
    .getConnection()
    .execute<{ session: SessionId; of_inbox: number }[]>(`select ${eachSession} as session, max(case when ${isOfInbox} then 1 else 0 end) as of_inbox from session_event where ${dialect.isAfter} and ${dialect.isSettled} group by ${eachSession}`, [transactionId, position]);
  return { sessions: rows.map(({ session }) => session), isOfInbox: rows.some((row) => row.of_inbox === 1) };
}

/** The place after all that is there now. */
export async function headOf({ em, dialect }: Database): Promise<Place> {
  return placeOf((await em.getConnection().execute<Raw[]>(dialect.head))[0]);
}

/** After a restore into another PostgreSQL the stored numbers of transactions mean nothing, and could hide events: what was restored comes first. */
export async function adoptRestored({ em, dialect }: { readonly em: SqlEntityManager; readonly dialect: Pick<Dialect, 'isRestored'> }): Promise<void> {
  for (const table of ['session_event', 'session_event_floor']) await em.getConnection().execute(`update ${table} set transaction_id = 0 where ${dialect.isRestored}`);
}

/** The place before the oldest event that is kept. */
export async function floorOf({ em }: Pick<Database, 'em'>): Promise<Place> {
  return placeOf((await em.getConnection().execute<Raw[]>('select transaction_id, position from session_event_floor where id = 1'))[0]);
}

function eventOf(row: RawEvent): SessionEventRow {
  return {
    place: placeOf(row),
    sessionId: row.session_id,
    type: row.type,
    subject: row.subject,
    name: row.name,
    actor: typeof row.actor === 'string' ? (JSON.parse(row.actor) as Principal) : row.actor,
    at: new Date(Number(row.at)),
  };
}

function placeOf(row: Raw | undefined): Place {
  return { transactionId: Number(row?.transaction_id ?? 0), position: Number(row?.position ?? 0) };
}

/** Removes the oldest events, up to the first that is not older, and notes how far: a cursor from before is told so. Gives their number. */
export async function removeEventsBefore({ em, dialect }: Pick<Database, 'em'> & { readonly dialect: Pick<Dialect, 'eventOrder' | 'isSettled'> }, { before, limit }: { readonly before: Date; readonly limit: number }): Promise<number> {
  return inTransaction(em, async (tx) => {
    const rows = await tx.execute<(Raw & { at: number | string })[]>(`select transaction_id, position, at from session_event where ${dialect.isSettled} order by ${dialect.eventOrder} limit ?`, [limit]);
    const firstKept = rows.findIndex(({ at }) => Number(at) >= before.getTime());
    const old = firstKept < 0 ? rows : rows.slice(0, firstKept);
    if (old.length === 0) return 0;
    const { transactionId, position } = placeOf(old.at(-1));
    await tx.execute('update session_event_floor set transaction_id = ?, position = ? where id = 1 and (transaction_id < ? or (transaction_id = ? and position < ?))', [transactionId, position, transactionId, transactionId, position]);
    await tx.execute(`delete from session_event where position in (${old.map(() => '?').join(', ')})`, old.map(({ position: each }) => Number(each)));
    return old.length;
  });
}
