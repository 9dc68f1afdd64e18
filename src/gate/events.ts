import type { ElicitationId, EvaluationId, SessionId } from '../entities/id.ts';

/** What happened, in ids. `sessionId` is the session it happened in, on whatever topic it is heard. */
export type Happening =
  | { readonly kind: 'elicitationRequested'; readonly sessionId: SessionId; readonly elicitationId: ElicitationId }
  | { readonly kind: 'elicitationResolved'; readonly sessionId: SessionId; readonly elicitationId: ElicitationId }
  | { readonly kind: 'evaluationDecided'; readonly sessionId: SessionId; readonly evaluationId: EvaluationId };

/** `inbox` hears everything; a session's topic hears what happens in it and in its descendants. */
export type Topic = 'inbox' | `session:${SessionId}`;

/**
 * Ids only, at most once, no replay: a hint to read the row, which is the truth.
 * `subscribe` resolves when the subscription is live, so nothing published afterwards is missed; it ends with `signal`.
 * `publish` resolves when the happening is handed on; one that fails to be handed on rejects.
 */
export interface Events {
  publish(topic: Topic, happening: Happening): Promise<void>;
  subscribe(topic: Topic, signal: AbortSignal): Promise<AsyncIterable<Happening>>;
}
