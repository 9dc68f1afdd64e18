import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { PolicyLevel, PolicySelector } from '../policy/pass.ts';
import type { JsonObject } from '../policy/json.ts';
import { AgentSchema } from './agent.entity.ts';
import type { AgentId, PolicyId, SessionId } from './id.ts';
import type { Principal } from './principal.ts';
import { SessionSchema } from './session.entity.ts';

/** A handler with params, attached to the server, an agent or a session. */
export const PolicySchema = defineEntity({
  name: 'Policy',
  tableName: 'policy',
  properties: {
    id: p.string().$type<PolicyId>().primary(),
    level: p.string().length(16).$type<PolicyLevel>(),
    agent: () => p.manyToOne(AgentSchema).mapToPk().$type<AgentId>().nullable(),
    session: () => p.manyToOne(SessionSchema).mapToPk().$type<SessionId>().nullable(),
    /** What it is attached to: `server`, or the agent's or session's id. */
    target: p.string().length(64),
    name: p.string().length(256),
    /** In the short form, `<family>.<name>`. */
    handler: p.string().length(256),
    params: p.json<JsonObject>().nullable(),
    on: p.json<readonly PolicySelector[]>().nullable(),
    condition: p.json<Readonly<Record<string, string | readonly string[]>>>().nullable(),
    writableLabels: p.json<readonly string[]>().nullable(),
    askTimeoutSeconds: p.integer().nullable(),
    enabled: p.boolean(),
    createdBy: p.json<Principal>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  uniques: [{ properties: ['target', 'name'] }],
  indexes: [{ properties: ['target', 'id'] }],
});

export type Policy = InferEntity<typeof PolicySchema>;
