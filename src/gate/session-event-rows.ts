import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Dialect } from '../entities/dialect.ts';
import type { SessionId } from '../entities/id.ts';
import type { Principal } from '../entities/principal.ts';
import type { SessionEventType } from '../entities/session-event.entity.ts';
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
  return rows.map((row) => ({
    place: placeOf(row),
    sessionId: row.session_id,
    type: row.type,
    subject: row.subject,
    name: row.name,
    actor: typeof row.actor === 'string' ? (JSON.parse(row.actor) as Principal) : row.actor,
    at: new Date(Number(row.at)),
  }));
}

/** The sessions in which something happened after a place. */
export async function sessionsAfter({ em, dialect }: Database, { transactionId, position }: Place): Promise<SessionId[]> {
  const rows = await em
    .getConnection()
    .execute<{ session_id: SessionId }[]>(`select distinct session_id from session_event where ${dialect.isAfter} and ${dialect.isSettled}`, [transactionId, position]);
  return rows.map((row) => row.session_id);
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
