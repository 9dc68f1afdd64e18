import { builder } from '../builder.ts';

builder.queryField('elicitation', (t) =>
  t.field({
    type: 'Elicitation',
    nullable: true,
    description: 'An elicitation by its id; null where there is none.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `elc_…`.' }) },
    resolve: (_root, { id }, context) => context.loaders().elicitation.find(id),
  }),
);
