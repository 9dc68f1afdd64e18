import type { SqlEntityManager } from '@mikro-orm/sql';
import { sql } from 'kysely';
import { dialectOf } from '../entities/dialect-of.ts';
import type { Statements } from '../entities/rows.ts';
import type { SessionId } from '../entities/id.ts';
import type { Principal } from '../entities/principal.ts';
import type { SessionEventType } from '../entities/session-event.entity.ts';

export interface NewSessionEvent {
  readonly session: SessionId;
  readonly type: SessionEventType;
  /** The evaluation, elicitation or policy that it happened to. Null: the session itself. */
  readonly subject: string | null;
  /** A policy's. */
  readonly name: string | null;
  readonly actor: Principal;
  readonly at: Date;
}

/** Notes in a session what the transaction does in it: one insert, whose places in the order the database gives. What is judged is noted by a trigger. */
export async function appendSessionEvents({ em, on }: { readonly em: SqlEntityManager; readonly on: Statements }, events: readonly NewSessionEvent[]): Promise<void> {
  if (events.length === 0) return;
  const transaction = dialectOf(em).numbersTransactions ? sql`default` : sql`0`;
  const rows = events.map(({ session, type, subject, name, actor, at }) => sql`(${transaction}, ${session}, ${type}, ${subject}, ${name}, ${JSON.stringify(actor)}, ${at.getTime()})`);
  await sql`insert into session_event (transaction_id, session_id, type, subject, name, actor, at) values ${sql.join(rows)}`.execute(on);
}
