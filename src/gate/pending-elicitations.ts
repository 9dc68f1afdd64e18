import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { readProperties, readRows, type RowCondition, type Where } from '../entities/rows.ts';
import { subtreeOf, type Session } from '../entities/session.entity.ts';
import type { Gate } from './gate.ts';
import { visible } from './visible.ts';

interface Whose {
  readonly includeDescendants: boolean;
}

/** A session's own pending elicitations in the order they were raised, then those of its descendants. */
export async function pendingElicitations(gate: Gate, session: Session, whose: Whose): Promise<Elicitation[]> {
  return ownFirst(await readRows(gate, ElicitationSchema, pendingIn(gate, session, whose)), session);
}

/** Descendants included. */
export async function pendingElicitationCount(gate: Gate, session: Session): Promise<number> {
  return (await whatIsPending(gate, session, { includeDescendants: true })).length;
}

/** Where a pending elicitation is: all that there is to know of many of them, whose rows are read one by one. */
export type Pending = Pick<Elicitation, 'id' | 'session'>;

/** In the order they were raised, but a session's own before those of its descendants. Null: of all sessions. */
export async function whatIsPending(gate: Gate, session: Session | null, whose: Whose): Promise<Pending[]> {
  const rows = await readProperties(gate, ElicitationSchema, { properties: ['id', 'session'], where: session ? pendingIn(gate, session, whose) : pending(gate) });
  return session ? ownFirst(rows, session) : rows;
}

function ownFirst<Row extends Pending>(rows: readonly Row[], { id }: Session): Row[] {
  return [...rows.filter(({ session }) => session === id), ...rows.filter(({ session }) => session !== id)];
}

function pendingIn(gate: Gate, session: Session, { includeDescendants }: Whose): Where<Elicitation> {
  const { $and, ...where } = pending(gate);
  return includeDescendants ? { ...where, $and: [...$and, isBelow(session)] } : { ...where, session: session.id, $and };
}

function isBelow(session: Session): RowCondition {
  const { $gte, $lt } = subtreeOf(session);
  return (row) => ({ sql: `${row}.session_id in (select id from session where path >= ? and path < ?)`, values: [$gte, $lt] });
}

/** A descendant can belong to somebody else. */
function pending(gate: Gate) {
  return { settledAt: null, expiresAt: { $gt: gate.now() }, $and: visible.ofSessions(gate) };
}
