import { builder } from '../builder.ts';
import { findNode } from '../types/node.ts';

builder.queryField('node', (t) =>
  t.field({
    type: 'Node',
    nullable: true,
    description: 'Whatever has this global id; null where nothing has it, or it is no id (Relay global object identification).',
    args: { id: t.arg.id({ required: true, description: 'An id of any type.' }) },
    resolve: (_root, { id }, context) => findNode(id, context.loaders()),
  }),
);
