import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Json } from '../policy/json.ts';
import type { AuditEntryId } from './id.ts';
import type { Principal } from './principal.ts';

export const auditActions = [
  'AGENT_CREATED',
  'AGENT_UPDATED',
  'SESSION_UPDATED',
  'SESSION_ENDED',
  'POLICY_CREATED',
  'POLICY_UPDATED',
  'POLICY_DELETED',
  'API_KEY_CREATED',
  'API_KEY_REVOKED',
  'ELICITATION_REQUESTED',
  'ELICITATION_JOINED',
  'ELICITATION_RESOLVED',
  'ELICITATION_EXPIRED',
  'EVALUATION_ABANDONED',
  'EVALUATION_SETTLED_BY_POLICY',
  'SIGN_IN_FAILED',
  'LIMIT_HIT',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** One link of the audit chain: never changed, never deleted. */
export const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.string().$type<AuditEntryId>().primary(),
    /** 1 for the first; without a gap. */
    sequence: p.bigint('number').unique(),
    at: p.datetime(3),
    actor: p.json<Principal>(),
    action: p.string().length(32).$type<AuditAction>(),
    /** The id of what it is about; null: no row of ours, as of a failed sign-in. */
    subject: p.string().length(64).nullable(),
    /** What was there and what is there now, as far as the action changed it. */
    before: p.json<Json>().nullable(),
    after: p.json<Json>().nullable(),
    /** The hash of the entry before; of the first: zeros. */
    previousHash: p.string().length(64),
    /** SHA-256, in hexadecimal, over the RFC 8785 JSON of all fields above. */
    hash: p.string().length(64),
  },
});

export type AuditEntry = InferEntity<typeof AuditEntrySchema>;

/** The end of the chain. One row, which whoever appends locks. */
export const AuditHeadSchema = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_head',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Of the last entry; 0: there is none. */
    sequence: p.bigint('number'),
    hash: p.string().length(64),
  },
});

/** What the first entry follows. */
export const noHash = '0'.repeat(64);
