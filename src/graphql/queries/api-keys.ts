import { ApiKeySchema } from '../../entities/api-key.entity.ts';
import { apiKeyId } from '../../entities/id.ts';
import { builder } from '../builder.ts';
import { pageOf } from '../page.ts';
import { ApiKeyConnection } from '../types/connections.ts';

builder.queryField('apiKeys', (t) =>
  t.connection(
    {
      type: 'ApiKey',
      description: 'All keys, newest first, revoked ones included.',
      resolve: (_root, args, context) => pageOf(args, apiKeyId, ({ where, options }) => context.gate().em.find(ApiKeySchema, where, options)),
    },
    ApiKeyConnection,
  ),
);
