import { builder } from '../builder.ts';

builder.queryField('session', (t) =>
  t.field({
    type: 'Session',
    nullable: true,
    description: 'A session by its id; null where there is none.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `ses_…`.' }) },
    resolve: (_root, { id }, context) => context.loaders().session.find(id),
  }),
);
