import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Writes } from '../policy/write-ledger.ts';
import type { Phase, PolicyEvent } from '../policy/event.ts';
import type { Json } from '../policy/json.ts';
import type { Verdict } from '../policy/verdict.ts';
import { ElicitationSchema } from './elicitation.entity.ts';
import type { ElicitationId, EvaluationId, ServerId, SessionId } from './id.ts';
import type { Principal } from './principal.ts';
import { SessionSchema } from './session.entity.ts';

export const evaluationStatuses = ['AWAITING_APPROVAL', 'DECIDED', 'ABANDONED'] as const;

export type EvaluationStatus = (typeof evaluationStatuses)[number];

export const decisionSources = ['POLICY', 'PERSON', 'EXPIRY', 'CANCELLATION', 'FAILURE'] as const;

export type DecisionSource = (typeof decisionSources)[number];

/** One judged event. Event and identity never change; only an undecided one is ever decided, once. */
export const EvaluationSchema = defineEntity({
  name: 'Evaluation',
  tableName: 'evaluation',
  properties: {
    id: p.string().$type<EvaluationId>().primary(),
    session: () => p.manyToOne(SessionSchema).mapToPk().$type<SessionId>(),
    /** Who called. Kept for the rule that nobody approves what they ask for. */
    principal: p.json<Principal>(),
    phase: p.string().length(16).$type<Phase>(),
    /** As it was judged, but for its secrets, which are masked. */
    event: p.json<PolicyEvent>(),
    idempotencyKey: p.string().length(256).nullable(),
    /** What the caller ran with; needed to judge the event again. */
    model: p.string().length(256).nullable(),
    harness: p.string().length(256).nullable(),
    verdict: p.string().length(8).$type<Verdict>(),
    status: p.string().length(24).$type<EvaluationStatus>(),
    decidedBy: p.string().length(16).$type<DecisionSource>().nullable(),
    reason: p.text().nullable(),
    decidingPolicies: p.json<readonly string[]>(),
    data: p.json<Json>().nullable(),
    /** What an ask wants written: applied on accept, in the transaction of the resolution; dropped else. */
    withheld: p.json<Writes>().nullable(),
    elicitation: () => p.manyToOne(ElicitationSchema).mapToPk().$type<ElicitationId>().nullable(),
    /** The caller took a ticket (`waitSeconds`): it waits until decided, with no grace time. */
    ticket: p.boolean(),
    /** When the grace time after the last holding caller's leave ends. Null: held, or a ticket. */
    abandonAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    decidedAt: p.datetime(3).nullable(),
    /** Of the unmasked event, keyed. Null: nothing of it is masked. */
    digest: p.string().length(64).nullable(),
    /** JSON Pointers to what is masked, below `/event` and `/data`. Null: nothing. */
    maskedPaths: p.json<readonly string[]>().nullable(),
    /** Of the unmasked data, keyed. Null: nothing of it is masked. */
    dataDigest: p.string().length(64).nullable(),
    /** The server that last took up a call for it. Null: no server holds one, or it is decided. */
    heldBy: p.string().$type<ServerId>().nullable(),
  },
  uniques: [{ properties: ['session', 'idempotencyKey'] }],
  indexes: [{ properties: ['session', 'id'] }, { properties: ['elicitation'] }],
});

export type Evaluation = InferEntity<typeof EvaluationSchema>;
