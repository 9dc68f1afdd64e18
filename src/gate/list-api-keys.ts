import { ApiKeySchema, type ApiKey } from '../entities/api-key.entity.ts';
import type { Gate } from './gate.ts';

/** All keys, oldest first, revoked ones included. */
export async function listApiKeys({ em }: Pick<Gate, 'em'>): Promise<ApiKey[]> {
  return em.find(ApiKeySchema, {}, { orderBy: { id: 'asc' } });
}
