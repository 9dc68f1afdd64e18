import canonicalize from 'canonicalize';
import { createHmac } from 'node:crypto';
import type { SessionId } from '../entities/id.ts';
import { phaseOf, type PolicyEvent } from '../policy/event.ts';

/**
 * HMAC-SHA256, in hex, with the server's secret key: the same for the same, and to whoever lacks the key it tells nothing of what it is
 * of, however few values that may have.
 */
export interface Digests {
  /** Over the RFC 8785 JSON of `{ session, phase, event }`, the event unmasked: what an approval is bound to. */
  ofEvent(session: SessionId, event: PolicyEvent): string;
  /** Over the RFC 8785 JSON of any other value. */
  of(value: unknown): string;
}

export function createDigests(secretKey: string): Digests {
  const of = (value: unknown) => {
    const canonical = canonicalize(value);
    if (canonical === undefined) throw new Error('The value has no canonical JSON.');
    return createHmac('sha256', secretKey).update(canonical).digest('hex');
  };
  return { of, ofEvent: (session, event) => of({ session, phase: phaseOf(event), event }) };
}
