import { builder } from '../builder.ts';

builder.queryField('serverPolicies', (t) =>
  t.field({
    type: ['Policy'],
    description: 'Attached to the server, in evaluation order, disabled ones included. They judge every session.',
    resolve: (_root, _args, context) => context.loaders().policiesOn('server'),
  }),
);
