import { randomUUID } from 'node:crypto';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { JsonObject } from '../policy/json.ts';
import { AgentSchema } from './agent.entity.ts';
import type { AgentId, SessionId } from './id.ts';
import type { Principal } from './principal.ts';

export const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.string().$type<SessionId>().primary(),
    agent: () => p.manyToOne(AgentSchema).mapToPk().$type<AgentId>(),
    parent: () => p.manyToOne(SessionSchema).mapToPk().$type<SessionId>().nullable(),
    /** The ids from the root to this session, each followed by `/`: a prefix of it finds all descendants. */
    path: p.text().index(),
    title: p.string().length(256).nullable(),
    owner: p.json<Principal>(),
    labels: p.json<Readonly<Record<string, string>>>(),
    state: p.json<JsonObject>(),
    model: p.string().length(256).nullable(),
    harness: p.string().length(256).nullable(),
    /** The ids of the principals that evaluated on this session: none of them may approve on it, but for the local user. */
    evaluators: p.json<readonly string[]>(),
    /** New and unique with each change of labels, state, model or end: what was judged under another one is judged again. No counter: one that is counted on ahead of its commit would meet the same number by another writer. */
    version: p.string().length(36),
    createdAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    /** A digest of agent, owner and idempotency key, where the session was created with one: a second call with the same finds it. */
    creationKey: p.string().length(64).nullable().unique(),
  },
  indexes: [{ properties: ['agent', 'id'] }, { properties: ['parent', 'id'] }],
});

export type Session = InferEntity<typeof SessionSchema>;

export function newVersion(): string {
  return randomUUID();
}

/** From the root to the session itself. */
export function lineageOf(session: { readonly path: string }): readonly SessionId[] {
  return session.path.split('/').slice(0, -1) as SessionId[];
}

/** The range of `path` that holds a session and all its descendants. */
export function subtreeOf(session: { readonly path: string }): { $gte: string; $lt: string } {
  return { $gte: session.path, $lt: `${session.path.slice(0, -1)}0` };
}
