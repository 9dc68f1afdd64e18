import type { SqlEntityManager } from '@mikro-orm/sql';
import type { AuditEntry } from '../entities/audit-entry.entity.ts';
import { createSigner } from './checkpoint.ts';
import { auditEntries, verifyAuditLog, type AuditVerdict } from './verify-audit-log.ts';

/** The audit log of a database in the hands of whoever holds its file. */
export interface AuditTrail {
  verify(): Promise<AuditVerdict>;
  /** In their order. */
  entries(): AsyncIterable<AuditEntry>;
}

export function auditTrailOn(em: SqlEntityManager, { secret, checkpoints }: { readonly secret: string; readonly checkpoints: readonly string[] }): AuditTrail {
  return { verify: () => verifyAuditLog(em, { checkpoints, signer: createSigner(secret) }), entries: () => auditEntries(em) };
}
