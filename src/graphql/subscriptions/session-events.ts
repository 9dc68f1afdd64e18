import { watchSessionEvents, type SessionEvent } from '../../gate/watch-session-events.ts';
import { builder } from '../builder.ts';
import type { GraphQLContext } from '../context.ts';
import { requestError } from '../request-error.ts';
import { badEventCursor } from './bad-event-cursor.ts';
import { live } from './live.ts';

builder.subscriptionField('sessionEvents', (t) =>
  t.field({
    type: 'SessionEvent',
    description: 'Everything that happens in one session, from the given cursor on: none missed, none twice, across reconnects, restarts and servers. Agents are not told of policies. An unknown session is a NOT_FOUND error.',
    args: {
      sessionId: t.arg.id({ required: true, description: 'The session. Its sub-agents are sessions of their own.' }),
      after: t.arg.string({ description: 'The cursor of the last event that you have. Default: all that is kept, from the oldest on. Of an event that is not kept any more: a RESYNC event comes first. What is no cursor is a BAD_USER_INPUT error.' }),
    },
    subscribe: (_root, args, context) => events(args, context),
    resolve: (event, _args, context) => {
      context.forget();
      return event;
    },
  }),
);

async function events({ sessionId, after }: { sessionId: string; after?: string | null | undefined }, context: GraphQLContext): Promise<AsyncIterable<SessionEvent>> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const outcome = await watchSessionEvents(() => context.openGate(), { sessionId, after: after ?? null, signal, turn: () => context.turn() });
  if (outcome.kind === 'notFound') throw requestError('NOT_FOUND', outcome.message);
  if (outcome.kind === 'badCursor') throw badEventCursor();
  return live(outcome.events, context, stop);
}
