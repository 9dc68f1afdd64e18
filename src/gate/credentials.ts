import type { SqlEntityManager } from '@mikro-orm/sql';
import { LRUCache } from 'lru-cache';
import { ApiKeySchema, isLive, type ApiKey } from '../entities/api-key.entity.ts';
import type { ApiKeyId } from '../entities/id.ts';
import { localUser, type Principal } from '../entities/principal.ts';
import { fullAccess, type Access } from './access.ts';
import { hashOf } from './api-key-token.ts';
import type { Log } from './gate.ts';

/** Who calls, and what they may do. */
export interface Identity {
  /** What was shown, as a name that stays the same: how often it is used is counted by it. */
  readonly credential: string;
  readonly principal: Principal;
  readonly access: Access;
}

/** The keys that callers show, looked up once and watched from then on. */
export interface Credentials {
  /** Null: the token is no key, or none any more. */
  find(token: string): Promise<Identity | null>;
  /** Who calls without a credential: the one local user, as long as there never was a key; null from then on. */
  local(): Promise<Identity | null>;
  /** Looks again at every key in use: those that have expired or were revoked end. It also happens by itself, every second. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface CredentialsParts {
  readonly em: SqlEntityManager;
  readonly now: () => Date;
  /** Whether callers may accept what they ask for themselves. */
  readonly allowSelfApproval: boolean;
  readonly log: Log;
}

const refreshEveryMilliseconds = 1000;
const lastUsedEveryMilliseconds = 60_000;

/** How many keys are kept in mind. One that falls out ends for whoever watches with it, and is looked up anew. */
const keysMax = 100_000;

interface Known extends Identity {
  readonly key: Pick<ApiKey, 'id' | 'expiresAt'>;
  readonly ending: AbortController;
  usedAt: number;
  writtenAt: number;
}

export function openCredentials({ em, now, allowSelfApproval, log }: CredentialsParts): Credentials {
  const known = new LRUCache<string, Known>({ max: keysMax, dispose: ({ ending }) => ending.abort() });
  const localEnding = new AbortController();
  const localIdentity: Identity = { credential: localUser.id, principal: localUser, access: { ...fullAccess(localUser), ended: localEnding.signal } };
  let haveExisted = false;
  let askedAt = -Infinity;

  async function local(): Promise<Identity | null> {
    if (!haveExisted && performance.now() - askedAt >= refreshEveryMilliseconds) await lookForKeys();
    return haveExisted ? null : localIdentity;
  }

  async function lookForKeys(): Promise<void> {
    haveExisted ||= await isAnyKey(em.fork());
    askedAt = performance.now();
    if (haveExisted) localEnding.abort();
  }

  async function find(token: string): Promise<Identity | null> {
    const hash = hashOf(token);
    const cached = known.get(hash);
    if (cached) {
      if (cached.key.expiresAt && cached.key.expiresAt <= now()) return null;
      cached.usedAt = now().getTime();
      return cached;
    }
    const key = await em.fork().findOne(ApiKeySchema, { hash });
    if (!key || !isLive(key, now())) return null;
    const found = known.get(hash) ?? toKnown(key, { allowSelfApproval, usedAt: now().getTime() });
    known.set(hash, found);
    return found;
  }

  async function refresh(): Promise<void> {
    if (!haveExisted) await lookForKeys();
    if (known.size === 0) return;
    const ids = [...known.values()].map(({ key }) => key.id);
    const live = new Set<ApiKeyId>();
    for (let start = 0; start < ids.length; start += 500) {
      const keys = await em.fork().find(ApiKeySchema, { id: { $in: ids.slice(start, start + 500) } });
      for (const key of keys) if (isLive(key, now())) live.add(key.id);
    }
    for (const [hash, { key }] of known) if (ids.includes(key.id) && !live.has(key.id)) known.delete(hash);
    await writeLastUsed();
  }

  async function writeLastUsed(): Promise<void> {
    for (const entry of known.values()) {
      if (entry.usedAt < entry.writtenAt + lastUsedEveryMilliseconds) continue;
      entry.writtenAt = entry.usedAt;
      await em.fork().nativeUpdate(ApiKeySchema, { id: entry.key.id }, { lastUsedAt: new Date(entry.usedAt) });
    }
  }

  let running: Promise<void> = Promise.resolve();
  let isRefreshing = false;
  const timer = setInterval(() => {
    if (isRefreshing) return;
    isRefreshing = true;
    running = refresh()
      .catch((error: unknown) => log.error({ err: error }, 'the keys in use could not be looked at again; it is tried again'))
      .finally(() => {
        isRefreshing = false;
      });
  }, refreshEveryMilliseconds);

  return {
    find,
    local,
    refresh,
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Whether there is any key, also one that is revoked: from the first on nobody is let in without a credential. */
export async function isAnyKey(em: SqlEntityManager): Promise<boolean> {
  return (await em.count(ApiKeySchema, {})) > 0;
}

function toKnown(key: ApiKey, { allowSelfApproval, usedAt }: { allowSelfApproval: boolean; usedAt: number }): Known {
  const ending = new AbortController();
  const principal: Principal = key.role === 'AGENT' ? { kind: 'AGENT_KEY', id: key.id, name: key.name } : key.owner;
  const access: Access = {
    roles: [key.role],
    owner: key.owner,
    reach: { agents: key.agents ?? null, ownSessionsOnly: key.ownSessionsOnly },
    acceptsOwn: allowSelfApproval,
    ended: ending.signal,
  };
  return { credential: key.id, principal, access, key, ending, usedAt, writtenAt: -Infinity };
}
