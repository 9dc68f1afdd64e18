import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { SessionId } from '../entities/id.ts';
import { phaseOf, type PolicyEvent } from '../policy/event.ts';

/** SHA-256, in hex, over the RFC 8785 JSON of `{ session, phase, event }`: what an approval is bound to. */
export function digestOf(session: SessionId, event: PolicyEvent): string {
  const canonical = canonicalize({ session, phase: phaseOf(event), event });
  if (canonical === undefined) throw new Error('An event has no canonical JSON.');
  return createHash('sha256').update(canonical).digest('hex');
}
