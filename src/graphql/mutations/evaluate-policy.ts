import { evaluatePolicy } from '../../gate/evaluate-policy.ts';
import { builder } from '../builder.ts';
import { PolicyEventInput } from '../types/policy-event-input.ts';
import { resultUnion } from '../types/result.ts';

const EvaluatePolicyInput = builder.inputType('EvaluatePolicyInput', {
  description: 'What an agent is about to do, and how long the call may take.',
  fields: (t) => ({
    sessionId: t.id({ required: true, description: 'The session that acts. Unknown: NotFoundError; ended: ConflictError.' }),
    event: t.field({ type: PolicyEventInput, required: true, description: 'What is to be judged.' }),
    idempotencyKey: t.string({
      description:
        '1 to 256 characters, once trimmed. Same key, same session, same event: the same evaluation, never a second elicitation, across reconnects and restarts. Same key, other event: IdempotencyKeyReusedError. Omitted: each call is a new evaluation.',
    }),
    waitSeconds: t.int({
      description:
        'How long to hold the call open while a person decides: 0 to 31,536,000 seconds. Omitted: until decided. 0: answer at once. Whoever sets it takes a ticket: the evaluation waits on after the call, and the grace time does not apply.',
    }),
    model: t.string({ description: "The language model that the caller runs with now, 1 to 256 characters. Default: the session's." }),
    harness: t.string({ description: "The program that the caller runs in now, 1 to 256 characters. Default: the session's." }),
  }),
});

const EvaluatePolicyResult = resultUnion('EvaluatePolicy', {
  success: 'Evaluation',
  errors: ['InvalidInputError', 'NotFoundError', 'ConflictError', 'IdempotencyKeyReusedError', 'TooManyPendingError'],
});

builder.mutationField('evaluatePolicy', (t) =>
  t.field({
    type: EvaluatePolicyResult,
    description:
      'Judges an event before it happens; only `verdict: ALLOW` permits it. When a person must decide, the call is held until then. An answer with `verdict: ASK` is no permission: call again with the same key to wait on. A caller that goes away has the grace time (60 seconds unless configured) to come back with its key.',
    args: { input: t.arg({ type: EvaluatePolicyInput, required: true, description: 'What is to be judged.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await evaluatePolicy(context.openGate(), input);
      return outcome.kind === 'evaluated' ? outcome.evaluation : outcome;
    },
  }),
);
