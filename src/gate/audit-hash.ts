import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { AuditEntry } from '../entities/audit-entry.entity.ts';

/** SHA-256, in hexadecimal, over the RFC 8785 JSON of an entry without its hash. */
export function linkHash({ id, sequence, at, actor, action, subject, before, after, previousHash }: Omit<AuditEntry, 'hash'>): string {
  const canonical = canonicalize({ id, sequence, at: at.toISOString(), actor, action, subject: subject ?? null, before: before ?? null, after: after ?? null, previousHash });
  if (canonical === undefined) throw new Error('An audit entry has no canonical JSON.');
  return createHash('sha256').update(canonical).digest('hex');
}
