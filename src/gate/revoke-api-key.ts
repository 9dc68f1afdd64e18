import { ApiKeySchema, type ApiKey } from '../entities/api-key.entity.ts';
import { isApiKeyId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { appendAudit } from './append-audit.ts';
import { auditView } from './audit-notes.ts';
import type { Gate } from './gate.ts';
import { notFound, type NotFound } from './outcome.ts';

/** From now on it opens nothing, and what it watches ends within seconds. Revoking a revoked one changes nothing. The row stays: records refer to it. */
export async function revokeApiKey(gate: Pick<Gate, 'em' | 'now' | 'principal'>, { keyId: id }: { readonly keyId: string }): Promise<{ kind: 'revoked'; key: ApiKey } | NotFound> {
  if (!isApiKeyId(id)) return notFound('key', id);
  const key = await inTransaction(gate.em, async (tx) => {
    const now = gate.now();
    const revoked = await tx.nativeUpdate(ApiKeySchema, { id, revokedAt: null }, { revokedAt: now });
    const row = await tx.findOne(ApiKeySchema, { id });
    if (row && revoked === 1) await appendAudit({ em: tx }, [{ at: now, actor: gate.principal, session: null, action: 'API_KEY_REVOKED', subject: id, before: auditView.apiKey(row) }]);
    return row;
  });
  return key ? { kind: 'revoked', key } : notFound('key', id);
}
