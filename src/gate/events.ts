import type { ElicitationId, EvaluationId, SessionId } from '../entities/id.ts';

/** What happened, in ids. `sessionId` is the session it happened in, on whatever topic it is heard. */
export type Happening =
  | { readonly kind: 'elicitationRequested'; readonly sessionId: SessionId; readonly elicitationId: ElicitationId }
  | { readonly kind: 'elicitationResolved'; readonly sessionId: SessionId; readonly elicitationId: ElicitationId }
  | { readonly kind: 'evaluationDecided'; readonly sessionId: SessionId; readonly evaluationId: EvaluationId };

/** Instead of happenings that may have been lost: whoever hears it reads the rows again. */
export interface Resync {
  readonly kind: 'resync';
}

/** `inbox` hears everything; a session's topic hears what happens in it and in its descendants. */
export type Topic = 'inbox' | `session:${SessionId}`;

/**
 * Happenings between all that serve one installation. Ids only, at most once, no replay: a hint to read the row, which is the truth.
 * What one publisher publishes is heard in its order.
 */
export interface Events {
  /**
   * Resolves when the happening is handed on: to every subscription of this process at once, whatever is between the processes. Where
   * that is down, the others are told to resync when it is back. One that cannot be handed on at all rejects.
   */
  publish(topic: Topic, happening: Happening): Promise<void>;
  /**
   * Resolves when the subscription is live, so nothing published afterwards is missed; it ends with `signal`. Where something may have
   * been lost (a connection that was down, a subscriber that is too slow to take what is published) it yields a `resync` in place of it.
   */
  subscribe(topic: Topic, signal: AbortSignal): Promise<AsyncIterable<Happening | Resync>>;
  /** Tells every live subscription, in every process, to resync. */
  resyncAll(): Promise<void>;
  /** False: happenings of other processes are not heard at the moment. */
  isConnected(): boolean;
  close(): Promise<void>;
}
