import type { SessionId } from '../entities/id.ts';
import type { PolicyEvent } from '../policy/event.ts';
import type { Caller } from './gather-facts.ts';
import type { Measured } from './instruments.ts';
import type { Masked } from './masking.ts';

/** One call, read: which session, what event, and how the caller waits. */
export interface Call {
  readonly sessionId: SessionId;
  /** What policies judge. */
  readonly event: PolicyEvent;
  /** What of it is stored and shown. */
  readonly masked: Masked<PolicyEvent>;
  readonly idempotencyKey: string | null;
  readonly waitSeconds: number | null;
  readonly caller: Caller;
  readonly measured: Measured;
}
