import { builder } from '../builder.ts';
import { Role } from '../types/enums.ts';

builder.queryFields((t) => ({
  viewer: t.field({ type: 'Principal', description: 'Who is calling, as the server sees it.', resolve: (_root, _args, { principal }) => principal }),
  viewerRoles: t.field({ type: [Role], description: 'What the caller is there for. Show only what these may do.', resolve: (_root, _args, { access }) => access.roles }),
}));
