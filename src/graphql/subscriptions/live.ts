import type { GraphQLContext } from '../context.ts';
import { requestError } from '../request-error.ts';

/** Hands values on for as long as the caller is let in, until the caller stops iterating, which aborts `stop`. */
export function live<T>(values: AsyncIterable<T>, context: GraphQLContext, stop: AbortController): AsyncIterable<T> {
  return stoppable(whileLetIn(values, context), stop);
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
