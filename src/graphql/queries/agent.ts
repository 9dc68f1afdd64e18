import { builder } from '../builder.ts';

builder.queryField('agent', (t) =>
  t.field({
    type: 'Agent',
    nullable: true,
    description: 'An agent by its id; null where there is none.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `agt_…`.' }) },
    resolve: (_root, { id }, context) => context.loaders().agent.find(id),
  }),
);
