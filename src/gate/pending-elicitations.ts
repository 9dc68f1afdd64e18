import type { FilterObject, FilterQuery } from '@mikro-orm/core';
import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { subtreeOf, type Session } from '../entities/session.entity.ts';
import type { Gate } from './gate.ts';
import { visible } from './visible.ts';

/** A session's own pending elicitations in the order they were raised, then those of its descendants. */
export async function pendingElicitations(gate: Gate, session: Session, { includeDescendants }: { includeDescendants: boolean }): Promise<Elicitation[]> {
  const pending = await gate.em.find(ElicitationSchema, seen(gate, pendingIn(gate, session, includeDescendants)), { orderBy: { id: 'asc' } });
  return ownFirst(pending, session);
}

/** Descendants included. */
export async function pendingElicitationCount(gate: Gate, session: Session): Promise<number> {
  return gate.em.count(ElicitationSchema, seen(gate, pendingIn(gate, session, true)));
}

/** Where a pending elicitation is: all that there is to know of many of them, whose rows are read one by one. */
export type Pending = Pick<Elicitation, 'id' | 'session'>;

/** In the order they were raised, but a session's own before those of its descendants. Null: of all sessions. */
export async function whatIsPending(gate: Gate, session: Session | null, { includeDescendants }: { includeDescendants: boolean }): Promise<Pending[]> {
  const where = seen(gate, session ? pendingIn(gate, session, includeDescendants) : pending(gate));
  const rows = await gate.em.createQueryBuilder(ElicitationSchema).select(['id', 'session']).where(where as FilterObject<Elicitation>).orderBy({ id: 'asc' }).execute<Pending[]>('all');
  return session ? ownFirst(rows, session) : rows;
}

function ownFirst<Row extends Pending>(rows: readonly Row[], { id }: Session): Row[] {
  return [...rows.filter(({ session }) => session === id), ...rows.filter(({ session }) => session !== id)];
}

function pendingIn(gate: Gate, session: Session, includeDescendants: boolean): FilterQuery<Elicitation> {
  return { ...pending(gate), session: includeDescendants ? { path: subtreeOf(session) } : session.id } as FilterQuery<Elicitation>;
}

/** A descendant can belong to somebody else. */
function seen(gate: Gate, where: FilterQuery<Elicitation>): FilterQuery<Elicitation> {
  return { $and: [where, ...visible.ofSessions(gate)] };
}

function pending(gate: Gate) {
  return { settledAt: null, expiresAt: { $gt: gate.now() } };
}
