import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Phase, PolicyEvent } from '../policy/event.ts';
import type { JsonObject } from '../policy/json.ts';
import type { ElicitationId, SessionId } from './id.ts';
import type { Principal } from './principal.ts';
import { SessionSchema } from './session.entity.ts';

export const elicitationActions = ['ACCEPT', 'DECLINE', 'CANCEL'] as const;

/** MCP's three answers. */
export type ElicitationAction = (typeof elicitationActions)[number];

export const elicitationStatuses = ['PENDING', 'ACCEPTED', 'DECLINED', 'CANCELLED', 'EXPIRED'] as const;

export type ElicitationStatus = (typeof elicitationStatuses)[number];

/** A request for a person's decision, raised by one or more evaluations of one session. */
export const ElicitationSchema = defineEntity({
  name: 'Elicitation',
  tableName: 'elicitation',
  properties: {
    id: p.string().$type<ElicitationId>().primary(),
    session: () => p.manyToOne(SessionSchema).mapToPk().$type<SessionId>(),
    message: p.text(),
    phase: p.string().length(16).$type<Phase>(),
    policyNames: p.json<readonly string[]>(),
    contentPreview: p.text(),
    event: p.json<PolicyEvent>(),
    /** Of the unmasked event, keyed. */
    digest: p.string().length(64),
    requestedSchema: p.json<JsonObject>(),
    /** Asks of one session with the same key share one pending elicitation. */
    checkpoint: p.string().length(256).nullable(),
    requestedAt: p.datetime(3),
    expiresAt: p.datetime(3),
    /** Set once, by the one conditional update that resolves or expires it. */
    settledAt: p.datetime(3).nullable(),
    /** Null while pending, and after an expiry. */
    action: p.string().length(8).$type<ElicitationAction>().nullable(),
    content: p.json<JsonObject>().nullable(),
    comment: p.text().nullable(),
    editedArguments: p.json<JsonObject>().nullable(),
    resolvedBy: p.json<Principal>().nullable(),
    /** JSON Pointers to what is masked, below `/event`. Null: nothing. */
    maskedPaths: p.json<readonly string[]>().nullable(),
  },
  indexes: [{ properties: ['session', 'id'] }],
});

export type Elicitation = InferEntity<typeof ElicitationSchema>;

const statusAfter: Record<ElicitationAction, ElicitationStatus> = {
  ACCEPT: 'ACCEPTED',
  DECLINE: 'DECLINED',
  CANCEL: 'CANCELLED',
};

/** Status at `now`. Not stored: a deadline passes without a write. A resolution outlives the deadline. */
export function statusOf(
  { action, settledAt, expiresAt }: Pick<Elicitation, 'action' | 'settledAt' | 'expiresAt'>,
  now: Date,
): ElicitationStatus {
  if (action) return statusAfter[action];
  return settledAt || expiresAt <= now ? 'EXPIRED' : 'PENDING';
}
