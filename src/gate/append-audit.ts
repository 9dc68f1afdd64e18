import type { SqlEntityManager } from '@mikro-orm/sql';
import { sql } from 'kysely';
import { AuditEntrySchema, type AuditAction, type AuditEntry } from '../entities/audit-entry.entity.ts';
import { newAuditEntryId, type SessionId } from '../entities/id.ts';
import { insertRows, type Statements, type Tables } from '../entities/rows.ts';
import type { Principal } from '../entities/principal.ts';
import type { SessionEventType } from '../entities/session-event.entity.ts';
import { appendSessionEvents, type NewSessionEvent } from './append-session-events.ts';
import { linkHash } from './audit-hash.ts';

/** What is to be proven later: who did what to what. No credential, and nothing that was masked. */
export type AuditNote = NoteBase & (InSession | InNoSession);

/** It is an event of the session as well. */
interface InSession {
  readonly session: SessionId;
  readonly action: SessionAction;
}

interface InNoSession {
  readonly session: null;
  readonly action: AuditAction;
}

type SessionAction = AuditAction & SessionEventType;

interface NoteBase {
  readonly at: Date;
  readonly actor: Principal;
  readonly subject?: string | null;
  readonly before?: object | null;
  readonly after?: object | null;
}

/**
 * Appends to the audit chain, and to what happens in sessions, within the transaction that does what is noted, so that neither is ever without the other. The last
 * statement of the transaction: it locks the end of the chain until the commit.
 */
export async function appendAudit({ em, on = em.getKysely<Tables>() }: { readonly em: SqlEntityManager; readonly on?: Statements }, notes: readonly AuditNote[]): Promise<void> {
  if (notes.length === 0) return;
  await appendSessionEvents({ em, on }, notes.flatMap(sessionEvents));
  let last = await lockedHead(on);
  const entries: AuditEntry[] = [];
  for (const note of notes) {
    const entry = follow(last, note);
    entries.push(entry);
    last = entry;
  }
  await insertRows({ em, on }, AuditEntrySchema, entries);
  await sql`update audit_head set sequence = ${last.sequence}, hash = ${last.hash} where id = 1`.execute(on);
}

async function lockedHead(on: Statements): Promise<Head> {
  const { rows } = await sql<{ sequence: number | string; hash: string }>`update audit_head set sequence = sequence where id = 1 returning sequence, hash`.execute(on);
  if (!rows[0]) throw new Error('The audit log has no head.');
  return { sequence: Number(rows[0].sequence), hash: rows[0].hash };
}

type Head = Pick<AuditEntry, 'sequence' | 'hash'>;

function sessionEvents({ session, at, actor, action, subject = null, before, after }: AuditNote): NewSessionEvent[] {
  if (session === null) return [];
  const { kind, id, name } = actor;
  const isPolicy = action.startsWith('POLICY_');
  return [{ session, type: action, subject: subject === session ? null : subject, name: isPolicy ? nameIn(after ?? before) : null, actor: { kind, id, name }, at }];
}

function nameIn(view: object | null | undefined): string | null {
  const name = view && 'name' in view ? view.name : null;
  return typeof name === 'string' ? name : null;
}

function follow(last: Head, { at, actor, action, subject = null, before = null, after = null }: AuditNote): AuditEntry {
  const { kind, id, name } = actor;
  const link = { id: newAuditEntryId(), sequence: last.sequence + 1, at, actor: { kind, id, name }, action, subject, before: plain(before), after: plain(after), previousHash: last.hash };
  return { ...link, hash: linkHash(link) };
}

/** As it will be read again: without what is undefined, times as text, half surrogate pairs (which have no canonical form) replaced. */
function plain(value: object | null): AuditEntry['before'] {
  return value === null ? null : (JSON.parse(JSON.stringify(value), wellFormed) as AuditEntry['before']);
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
