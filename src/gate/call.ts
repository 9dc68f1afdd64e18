import type { SessionId } from '../entities/id.ts';
import type { PolicyEvent } from '../policy/event.ts';
import type { Caller } from './gather-facts.ts';

/** One call, read: which session, what event, and how the caller waits. */
export interface Call {
  readonly sessionId: SessionId;
  readonly event: PolicyEvent;
  readonly idempotencyKey: string | null;
  readonly waitSeconds: number | null;
  readonly caller: Caller;
}
