import { watchInboxEvents, type InboxEvent } from '../../gate/watch-inbox-events.ts';
import { builder } from '../builder.ts';
import type { GraphQLContext } from '../context.ts';
import { badEventCursor } from './bad-event-cursor.ts';
import { live } from './live.ts';

builder.subscriptionField('inboxEvents', (t) =>
  t.field({
    type: 'InboxEvent',
    description: 'Each elicitation that is asked and settled, in all sessions that the caller may see, from the given cursor on: none missed, none twice, across reconnects, restarts and servers.',
    args: {
      after: t.arg.string({ description: 'The cursor of the last event that you have. Default: from before the oldest that is pending, so that all that is pending is told. Of an event that is not kept any more: a RESYNC event comes first. What is no cursor is a BAD_USER_INPUT error.' }),
    },
    subscribe: (_root, { after }, context) => events(after ?? null, context),
    resolve: (event, _args, context) => {
      context.forget();
      return event;
    },
  }),
);

async function events(after: string | null, context: GraphQLContext): Promise<AsyncIterable<InboxEvent>> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const outcome = await watchInboxEvents(() => context.openGate(), { after, signal, turn: () => context.turn() });
  if (outcome.kind === 'badCursor') throw badEventCursor();
  return live(outcome.events, context, stop);
}
