import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { ApiKeySchema, type ApiKey } from '../entities/api-key.entity.ts';
import { newApiKeyId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { insertRows } from '../entities/rows.ts';
import { reservedUserIds, type Principal } from '../entities/principal.ts';
import { roles } from '../entities/role.ts';
import { mintToken } from './api-key-token.ts';
import { appendAudit } from './append-audit.ts';
import { auditView } from './audit-notes.ts';
import type { Gate } from './gate.ts';
import { name as keyName, parse, shortText } from './input.ts';
import { conflict, type Conflict, type InvalidInput } from './outcome.ts';
import { visibleName } from './visible-text.ts';

const patternsMax = 100;

const createApiKeyInput = z.object({
  name: keyName,
  role: z.enum(roles),
  owner: shortText.refine((id) => !reservedUserIds.includes(id), 'is reserved: give the id of a user').nullish(),
  agents: z.array(shortText).min(1, 'must name at least one agent; leave it out to reach all').max(patternsMax, `must have at most ${patternsMax} patterns`).nullish(),
  ownSessionsOnly: z.boolean().nullish(),
  expiresAt: z.date().nullish(),
});

/**
 * `owner`: the user behind the key, by default one who is named like the key. `agents`: patterns of the names of the agents that it
 * reaches, `*` for any text; by default all. `ownSessionsOnly`: only the owner's sessions, which is so for an AGENT in any case.
 */
export type CreateApiKeyInput = z.input<typeof createApiKeyInput>;

/** The token is given back here and never again. */
export async function createApiKey(gate: Pick<Gate, 'em' | 'now' | 'principal' | 'masking'>, input: CreateApiKeyInput): Promise<{ kind: 'created'; key: ApiKey; token: string } | InvalidInput | Conflict> {
  const now = gate.now();
  const parsed = parse(createApiKeyInput.refine(({ expiresAt }) => !expiresAt || expiresAt > now, { path: ['expiresAt'], error: 'must lie in the future' }), input);
  if (parsed.kind === 'invalidInput') return parsed;
  const { role, agents, ownSessionsOnly, expiresAt } = parsed.value;
  const { token, hash, hint } = mintToken();
  const name = gate.masking.text(parsed.value.name);
  const userId = parsed.value.owner ?? name;
  const owner: Principal = { kind: 'USER', id: userId, name: userId };
  const key: ApiKey = {
    id: newApiKeyId(),
    name,
    role,
    owner,
    agents: agents ?? null,
    ownSessionsOnly: role === 'AGENT' || (ownSessionsOnly ?? false),
    hash,
    hint,
    createdBy: gate.principal,
    createdAt: now,
    expiresAt: expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
  };
  try {
    await inTransaction(gate.em, async (tx) => {
      await insertRows({ em: tx }, ApiKeySchema, [key]);
      await appendAudit({ em: tx }, [{ at: now, actor: gate.principal, session: null, action: 'API_KEY_CREATED', subject: key.id, after: auditView.apiKey(key) }]);
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return conflict(`There is a key named "${visibleName(key.name)}" already, perhaps a revoked one: names are unique, so that records stay clear.`);
    throw error;
  }
  return { kind: 'created', key, token };
}
