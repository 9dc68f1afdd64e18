import { builder } from '../builder.ts';

builder.queryField('viewer', (t) =>
  t.field({ type: 'Principal', description: 'Who is calling, as the server sees it.', resolve: (_root, _args, { principal }) => principal }),
);
