import type { Elicitation } from '../../entities/elicitation.entity.ts';
import { watchElicitations, type Watch } from '../../gate/watch-elicitations.ts';
import type { GraphQLContext } from '../context.ts';
import { requestError } from '../request-error.ts';

interface Arguments {
  readonly sessionId?: string | null | undefined;
  readonly includeDescendants?: boolean | null | undefined;
}

/**
 * The elicitations that a subscription carries. Resolves once the watch is live, so that nothing raised after it is missed.
 * Ends when the caller has gone or stops iterating. Throws NOT_FOUND for an unknown session.
 */
export async function watch(kind: Watch['kind'], { sessionId, includeDescendants }: Arguments, context: GraphQLContext): Promise<AsyncIterable<Elicitation>> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const outcome = await watchElicitations(() => context.openGate(), { kind, sessionId: sessionId ?? null, includeDescendants: includeDescendants ?? true, signal, turn: () => context.turn() });
  if (outcome.kind === 'notFound') throw requestError('NOT_FOUND', outcome.message);
  return stoppable(whileLetIn(outcome.elicitations, context), stop);
}

/** Ends with an error when the caller's credential has ended, so that nobody takes it for the end of all asks. */
async function* whileLetIn<T>(values: AsyncIterable<T>, { access }: GraphQLContext): AsyncGenerator<T> {
  for await (const value of values) {
    if (access.ended.aborted) break;
    yield value;
  }
  if (access.ended.aborted) throw requestError('UNAUTHENTICATED', 'Your credential has expired or was revoked.');
}

/** A generator that waits for its next value does not hear `return`: it has to be woken by the signal that it listens to. */
function stoppable<T>(values: AsyncIterable<T>, stop: AbortController): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = values[Symbol.asyncIterator]();
      return {
        next: () => iterator.next(),
        async return() {
          stop.abort();
          return (await iterator.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
