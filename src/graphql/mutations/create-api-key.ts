import { createApiKey } from '../../gate/create-api-key.ts';
import { builder } from '../builder.ts';
import { Role } from '../types/enums.ts';
import { resultUnion } from '../types/result.ts';

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A new key.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Unique, also among revoked keys: 1 to 256 characters once trimmed, not beginning with `__`. Taken: ConflictError.' }),
    role: t.field({ type: Role, required: true, description: 'What it is for.' }),
    owner: t.string({
      description: "The id of the user behind it, 1 to 256 characters. Give a person's keys the same: nobody approves what another of their keys asks for. Default: a user named like the key.",
    }),
    agents: t.stringList({ description: 'Patterns of the names of the agents that it reaches, at most 100, `*` for any text. Default: all.' }),
    ownSessionsOnly: t.boolean({ description: "Whether it reaches only its owner's sessions. An AGENT's key never reaches others. Default: false." }),
    expiresAt: t.field({ type: 'DateTime', description: 'From when on it opens nothing, in the future. Default: never by itself.' }),
  }),
});

const CreateApiKeyResult = resultUnion('CreateApiKey', { success: 'CreatedApiKey', errors: ['InvalidInputError', 'ConflictError'] });

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: CreateApiKeyResult,
    description: 'Creates a key. From the first one on nobody is let in without a credential.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The new key.' }) },
    resolve: async (_root, { input }, context) => createApiKey(context.openGate(), input),
  }),
);
