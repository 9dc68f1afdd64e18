import { builder } from '../builder.ts';
import { watch } from './watch.ts';

builder.subscriptionField('elicitationResolved', (t) =>
  t.field({
    type: 'Elicitation',
    description: 'Each elicitation that is resolved or expires from now on. Without sessionId: all that the caller may see. An unknown session is a NOT_FOUND error.',
    args: {
      sessionId: t.arg.id({ description: 'Only those of this session. Default: of all sessions.' }),
      includeDescendants: t.arg.boolean({ defaultValue: true, description: "With sessionId: also those of the session's sub-agents, at any depth. Default true." }),
    },
    subscribe: (_root, args, context) => watch('elicitationResolved', args, context),
    resolve: (elicitation, _args, context) => {
      context.forget();
      return elicitation;
    },
  }),
);
