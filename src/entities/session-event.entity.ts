import { defineEntity, p } from '@mikro-orm/core';
import type { Principal } from './principal.ts';

export const sessionEventTypes = [
  'EVALUATION_JUDGED',
  'EVALUATION_ABANDONED',
  'EVALUATION_SETTLED_BY_POLICY',
  'ELICITATION_REQUESTED',
  'ELICITATION_JOINED',
  'ELICITATION_RESOLVED',
  'ELICITATION_EXPIRED',
  'POLICY_CREATED',
  'POLICY_UPDATED',
  'POLICY_DELETED',
  'SESSION_UPDATED',
  'SESSION_ENDED',
] as const;

export type SessionEventType = (typeof sessionEventTypes)[number];

/** Those of them that concern whoever decides. An index knows the list: what is added to it needs a migration. */
export const inboxEventTypes = ['ELICITATION_REQUESTED', 'ELICITATION_RESOLVED', 'ELICITATION_EXPIRED'] as const satisfies readonly SessionEventType[];

export type InboxEventType = (typeof inboxEventTypes)[number];

/**
 * What happened in a session, written in the transaction in which it did. Their order is that of the transactions, then of the positions:
 * on PostgreSQL a later position can be committed first, and a reader that had passed it would miss the earlier.
 */
export const SessionEventSchema = defineEntity({
  name: 'SessionEvent',
  tableName: 'session_event',
  properties: {
    position: p.bigint('number').primary().autoincrement(),
    /** Of PostgreSQL; 0 on SQLite, which has one writer at a time. */
    transactionId: p.bigint('number'),
    sessionId: p.string(),
    type: p.string().$type<SessionEventType>(),
    /** The evaluation, elicitation or policy that it happened to. Null: the session itself. */
    subject: p.string().nullable(),
    /** A policy's, as of then. */
    name: p.string().nullable(),
    /** Null: the policies judged. */
    actor: p.json<Principal>().nullable(),
    /** Milliseconds since 1970. */
    at: p.bigint('number'),
  },
});

/** The place up to which events were removed. One row. */
export const SessionEventFloorSchema = defineEntity({
  name: 'SessionEventFloor',
  tableName: 'session_event_floor',
  properties: {
    id: p.integer().primary().autoincrement(false),
    transactionId: p.bigint('number'),
    position: p.bigint('number'),
  },
});
