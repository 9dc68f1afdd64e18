import { revokeApiKey } from '../../gate/revoke-api-key.ts';
import { builder } from '../builder.ts';
import { resultUnion } from '../types/result.ts';

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  description: 'Which key is to open nothing any more.',
  fields: (t) => ({ keyId: t.id({ required: true, description: 'The key. Unknown: NotFoundError.' }) }),
});

const RevokeApiKeyResult = resultUnion('RevokeApiKey', { success: 'ApiKey', errors: ['NotFoundError'] });

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: RevokeApiKeyResult,
    description: 'Revokes a key for good. Within two seconds it opens nothing, and what is watched with it ends. Revoking a revoked one changes nothing.',
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true, description: 'Which key.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await revokeApiKey(context.openGate(), input);
      return outcome.kind === 'revoked' ? outcome.key : outcome;
    },
  }),
);
