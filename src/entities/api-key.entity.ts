import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ApiKeyId } from './id.ts';
import type { Principal } from './principal.ts';
import type { Role } from './role.ts';

/** A credential of ours. The token itself is nowhere: whoever reads the database cannot use it. */
export const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.string().$type<ApiKeyId>().primary(),
    name: p.string().length(256).unique(),
    role: p.string().length(16).$type<Role>(),
    /** The user behind it. An agent's key acts for this user, any other key acts as this user. */
    owner: p.json<Principal>(),
    /** Patterns of the names of the agents that it reaches, `*` for any text; null: all. */
    agents: p.json<readonly string[]>().nullable(),
    /** Whether it reaches only the sessions of its owner. An agent's key never reaches others. */
    ownSessionsOnly: p.boolean(),
    /** SHA-256 of the token, in hexadecimal. The token has 256 random bits, so a slow hash would add nothing. */
    hash: p.string().length(64).unique(),
    /** The first characters of the token, to tell keys apart. */
    hint: p.string().length(16),
    createdBy: p.json<Principal>(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** To the minute. */
    lastUsedAt: p.datetime(3).nullable(),
  },
});

export type ApiKey = InferEntity<typeof ApiKeySchema>;

/** Whether it is a credential at `now`. */
export function isLive({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return !revokedAt && (!expiresAt || expiresAt > now);
}
