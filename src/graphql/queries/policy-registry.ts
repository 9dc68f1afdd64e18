import { builder } from '../builder.ts';

builder.queryField('policyRegistry', (t) =>
  t.field({
    type: ['PolicyHandler'],
    description: 'The handlers that can be attached, with what they take.',
    resolve: (_root, _args, context) => context.gate().registry.list(),
  }),
);
