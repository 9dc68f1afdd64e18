import { updateSession, type UpdateSessionInput as Input } from '../../gate/update-session.ts';
import { builder } from '../builder.ts';
import { resultUnion } from '../types/result.ts';

const UpdateSessionInput = builder.inputRef<Input, false>('UpdateSessionInput').implement({
  description: 'What is to change of a session. Omitted fields stay; null clears a field that may be empty.',
  fields: (t) => ({
    sessionId: t.id({ required: true, description: 'The session. Unknown: NotFoundError; ended: ConflictError.' }),
    title: t.string({ description: 'As in CreateSessionInput.' }),
    labels: t.field({ type: 'JSONObject', description: 'Label → value, as in CreateSessionInput. Each label given is set, the others stay.' }),
    model: t.string({ description: 'As in CreateSessionInput.' }),
  }),
});

const UpdateSessionResult = resultUnion('UpdateSession', { success: 'Session', errors: ['InvalidInputError', 'NotFoundError', 'ConflictError'] });

builder.mutationField('updateSession', (t) =>
  t.field({
    type: UpdateSessionResult,
    description: 'Changes a session.',
    args: { input: t.arg({ type: UpdateSessionInput, required: true, description: 'Which session, and what is to change.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await updateSession(context.openGate(), input);
      return outcome.kind === 'updated' ? outcome.session : outcome;
    },
  }),
);
