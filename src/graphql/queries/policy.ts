import { builder } from '../builder.ts';

builder.queryField('policy', (t) =>
  t.field({
    type: 'Policy',
    nullable: true,
    description: 'A policy by its id; null where there is none.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `pol_…`.' }) },
    resolve: (_root, { id }, context) => context.loaders().policy.find(id),
  }),
);
