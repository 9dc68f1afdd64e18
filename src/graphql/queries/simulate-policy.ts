import { simulatePolicy } from '../../gate/simulate-policy.ts';
import { builder } from '../builder.ts';
import { PolicyEventInput } from '../types/policy-event-input.ts';
import { queryResultUnion } from '../types/result.ts';

const SimulatePolicyInput = builder.inputType('SimulatePolicyInput', {
  description: 'A handler, an event, and the session as it is to be taken.',
  fields: (t) => ({
    handler: t.string({ required: true, description: 'The name of a registered handler. Unknown: InvalidInputError.' }),
    params: t.field({ type: 'JSONObject', description: 'Its params. Omitted: none are given, its defaults count.' }),
    event: t.field({ type: PolicyEventInput, required: true, description: 'What would be judged.' }),
    state: t.field({ type: 'JSONObject', description: "The session's state before the event. Default: `{}`." }),
    labels: t.field({ type: 'JSONObject', description: "The session's labels, label → text; reserved ones are taken, too. Default: `{}`." }),
    usage: t.field({
      type: 'JSONObject',
      description:
        'What was used so far, in the fields of Usage or as policies see it: `{ totalCostUsd: 4.5 }` or `{ total_cost_usd: 4.5 }`, of the whole tree of sessions; ' +
        '`subtreeUsage`, the same of the session and its descendants; `userDailyCost: { costUsd, askApprovedUsd, userId, day }`. The latter two default to what the first says. ' +
        'Tokens without a cost have a price that nobody knows. Default: nothing was used.',
    }),
    model: t.string({ description: 'The model that the agent runs with, 1 to 256 characters. Omitted: unknown.' }),
  }),
});

const SimulatePolicyResult = queryResultUnion('SimulatePolicy', { success: 'EvaluationPreview', errors: ['InvalidInputError'] });

builder.queryField('simulatePolicy', (t) =>
  t.field({
    type: SimulatePolicyResult,
    description:
      'What one handler would say of one event, alone and without a session. Nothing is stored and nobody is asked but the language model, where the policy asks one. ' +
      "In the answer the policy has its handler's name.",
    args: { input: t.arg({ type: SimulatePolicyInput, required: true, description: 'What would be judged, by what, and in which situation.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await simulatePolicy(context.gate(), input);
      return outcome.kind === 'simulated' ? outcome.decision : outcome;
    },
  }),
);
