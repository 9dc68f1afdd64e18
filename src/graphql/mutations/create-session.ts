import { createSession } from '../../gate/create-session.ts';
import { builder } from '../builder.ts';
import { resultUnion } from '../types/result.ts';

const CreateSessionInput = builder.inputType('CreateSessionInput', {
  description: 'A new session.',
  fields: (t) => ({
    agentId: t.id({ required: true, description: 'Whose run it is. Unknown: NotFoundError.' }),
    title: t.string({ description: 'For people: 1 to 256 characters once trimmed. Default: none.' }),
    parentId: t.id({ description: 'The session that starts this one, for a sub-agent. Unknown: NotFoundError; ended: ConflictError; more than 32 deep: InvalidInputError. Default: none.' }),
    labels: t.field({ type: 'JSONObject', description: "Label → value, both text: keys of 1 to 128 characters, not reserved, values of at most 256. Default: the initial values of the agent's label definitions; given labels go over them." }),
    model: t.string({ description: 'The language model that it runs with, 1 to 256 characters. Default: unknown.' }),
    harness: t.string({ description: 'The program that runs the agent, such as `claude-code`, 1 to 256 characters. Default: unknown.' }),
    idempotencyKey: t.string({
      description:
        'What the run is known by where it runs: 1 to 256 characters, once trimmed. Same key, same agent, same owner: the session that was created first, as it is now, and nothing else of the input counts. Omitted: each call is a new session.',
    }),
  }),
});

const CreateSessionResult = resultUnion('CreateSession', { success: 'Session', errors: ['InvalidInputError', 'NotFoundError', 'ConflictError'] });

builder.mutationField('createSession', (t) =>
  t.field({
    type: CreateSessionResult,
    description: 'Starts a session. The caller becomes its owner.',
    args: { input: t.arg({ type: CreateSessionInput, required: true, description: 'The new session.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await createSession(context.openGate(), input);
      return outcome.kind === 'created' ? outcome.session : outcome;
    },
  }),
);
