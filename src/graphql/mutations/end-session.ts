import { endSession } from '../../gate/end-session.ts';
import { builder } from '../builder.ts';
import { resultUnion } from '../types/result.ts';

const EndSessionInput = builder.inputType('EndSessionInput', {
  description: 'Which session is over.',
  fields: (t) => ({ sessionId: t.id({ required: true, description: 'The session. Unknown: NotFoundError. Ending an ended one changes nothing.' }) }),
});

const EndSessionResult = resultUnion('EndSession', { success: 'Session', errors: ['NotFoundError'] });

builder.mutationField('endSession', (t) =>
  t.field({
    type: EndSessionResult,
    description: 'Ends a session and its descendants for good: what is pending in them is cancelled, later evaluations are refused.',
    args: { input: t.arg({ type: EndSessionInput, required: true, description: 'Which session is over.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await endSession(context.openGate(), input);
      return outcome.kind === 'ended' ? outcome.session : outcome;
    },
  }),
);
