import type { SqlEntityManager } from '@mikro-orm/sql';
import type { ApiKey } from '../entities/api-key.entity.ts';
import { system } from '../entities/principal.ts';
import { createApiKey, type CreateApiKeyInput } from './create-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import type { Gate } from './gate.ts';
import { revokeApiKey } from './revoke-api-key.ts';

/** The keys of a database in the hands of whoever holds its file. */
export interface Keyring {
  now(): Date;
  create(input: CreateApiKeyInput): ReturnType<typeof createApiKey>;
  list(): Promise<ApiKey[]>;
  /** Throws where there is no such key. */
  revoke(id: ApiKey['id']): Promise<ApiKey>;
}

export function keyringOn(em: SqlEntityManager, { now, masking }: Pick<Gate, 'now' | 'masking'>): Keyring {
  const gate = () => ({ em: em.fork(), now, principal: system, masking });
  return {
    now,
    create: (input) => createApiKey(gate(), input),
    list: () => listApiKeys(gate()),
    async revoke(keyId) {
      const outcome = await revokeApiKey(gate(), { keyId });
      if (outcome.kind === 'notFound') throw new Error(outcome.message);
      return outcome.key;
    },
  };
}
