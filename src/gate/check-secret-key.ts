import type { SqlEntityManager } from '@mikro-orm/sql';
import { InstallationSchema } from '../entities/installation.entity.ts';
import { createDigests } from './digest.ts';

/**
 * Whether the database's servers have this secret key: the first start notes its fingerprint. With another key digests would not agree, and
 * the audit log's checkpoints would not be genuine; and the other servers of a database would never know.
 */
export async function checkSecretKey(em: SqlEntityManager, secretKey: string): Promise<boolean> {
  const keyFingerprint = fingerprintOf(secretKey);
  await em.nativeUpdate(InstallationSchema, { id: 1, keyFingerprint: null }, { keyFingerprint });
  return (await em.count(InstallationSchema, { id: 1, keyFingerprint })) === 1;
}

/** From now on this is the key, whatever was before: for whoever has lost that one. */
export async function acceptSecretKey(em: SqlEntityManager, secretKey: string): Promise<void> {
  await em.nativeUpdate(InstallationSchema, { id: 1 }, { keyFingerprint: fingerprintOf(secretKey) });
}

function fingerprintOf(secretKey: string): string {
  return createDigests(secretKey).of('the secret key of an installation');
}
