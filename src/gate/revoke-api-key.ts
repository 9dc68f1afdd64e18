import { ApiKeySchema, type ApiKey } from '../entities/api-key.entity.ts';
import { isApiKeyId } from '../entities/id.ts';
import type { Gate } from './gate.ts';
import { notFound, type NotFound } from './outcome.ts';

/** From now on it opens nothing, and what it watches ends within seconds. Revoking a revoked one changes nothing. The row stays: records refer to it. */
export async function revokeApiKey(gate: Pick<Gate, 'em' | 'now'>, { keyId: id }: { readonly keyId: string }): Promise<{ kind: 'revoked'; key: ApiKey } | NotFound> {
  if (!isApiKeyId(id)) return notFound('key', id);
  await gate.em.nativeUpdate(ApiKeySchema, { id, revokedAt: null }, { revokedAt: gate.now() });
  const key = await gate.em.findOne(ApiKeySchema, { id });
  return key ? { kind: 'revoked', key } : notFound('key', id);
}
