import type { ExecutionResult } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Identity } from './authenticate.ts';

/** One query, mutation or subscription on its way through Yoga, whatever it came by. */
export interface Operation {
  readonly identity: Identity;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** Reads what is to be executed from the HTTP request. A WebSocket brings it in its message. */
  readonly readParams?: () => GraphQLParams;
  /** What came of it, where it was executed already. */
  readonly result?: ExecutionResult;
  /** Whether the caller takes a stream of results. */
  readonly takesStream: boolean;
  /** Set once the document is known to be a subscription. */
  isSubscription: boolean;
  /** Set where it is counted against its credential's rate as it runs, or refused by the limit of subscriptions or calls. Any other is counted at its end. */
  isCounted: boolean;
}

/** What Yoga's plugins find in the context. */
export interface OperationContext {
  readonly operation: Operation;
}
