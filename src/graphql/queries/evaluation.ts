import { builder } from '../builder.ts';

builder.queryField('evaluation', (t) =>
  t.field({
    type: 'Evaluation',
    nullable: true,
    description: 'An evaluation by its id; null where there is none.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `evl_…`.' }) },
    resolve: (_root, { id }, context) => context.loaders().evaluation.find(id),
  }),
);
