import { builder } from '../builder.ts';

builder.queryField('serverLabelDefinitions', (t) =>
  t.field({
    type: ['LabelDefinition'],
    description: "The labels that every session knows, from the server's configuration. They count before an agent's own of the same key.",
    resolve: (_root, _args, context) => context.gate().settings.labelDefinitions,
  }),
);
