import type { Elicitation } from '../../entities/elicitation.entity.ts';
import { watchElicitations, type Watch } from '../../gate/watch-elicitations.ts';
import type { GraphQLContext } from '../context.ts';
import { requestError } from '../request-error.ts';
import { live } from './live.ts';

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
  return live(outcome.elicitations, context, stop);
}
