import { createPolicy } from '../../gate/create-policy.ts';
import { builder } from '../builder.ts';
import { PolicySelectorInput } from '../types/policy.ts';
import { resultUnion } from '../types/result.ts';

const PolicyTargetInput = builder.inputType('PolicyTargetInput', {
  description: 'What a policy is attached to: exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    sessionId: t.id({ description: 'A session; the policy judges it and its descendants. Unknown: NotFoundError; ended: ConflictError.' }),
    agentId: t.id({ description: "An agent; the policy judges all of the agent's sessions. Unknown: NotFoundError." }),
    server: t.boolean({ description: 'The server, with `true`; the policy judges every session. `false` is an InvalidInputError.' }),
  }),
});

const CreatePolicyInput = builder.inputType('CreatePolicyInput', {
  description: 'A new policy.',
  fields: (t) => ({
    target: t.field({ type: PolicyTargetInput, required: true, description: 'What it is attached to. It never changes.' }),
    name: t.string({ required: true, description: 'Unique on its target: 1 to 256 characters once trimmed, not beginning with `__`. Taken: ConflictError.' }),
    handler: t.string({ required: true, description: "What judges: a name of `policyRegistry`. The longer spelling of a builtin (`omnigent.policies.builtins.…`) is taken, too, and stored short. It decides whether the policy takes params." }),
    params: t.field({ type: 'JSONObject', description: "The handler's params, checked against its `paramsSchema` and by building it. Default: those of the handler. Kept and shown as they are: put no secret in them." }),
    on: t.field({ type: [PolicySelectorInput], description: "What it judges: events that match any of these, 1 to 50. Default: all of the handler's phases." }),
    condition: t.field({
      type: 'JSONObject',
      description: 'When it judges: label → a value or a list of values, all text. Each label must have the value, or one of the list; a label that the session lacks never matches. Default: always.',
    }),
    writableLabels: t.stringList({ description: 'The labels that it may write, at most 100; what it wants to write elsewhere is dropped. Default: any that is not reserved.' }),
    askTimeoutSeconds: t.int({ description: "How long its asks wait for a decision: 1 to 31,536,000 seconds. Default: the agent's, else 86,400. Of several askers the shortest counts." }),
    enabled: t.boolean({ defaultValue: true, description: 'Whether it judges at all. Default true.' }),
  }),
});

const CreatePolicyResult = resultUnion('CreatePolicy', { success: 'Policy', errors: ['InvalidInputError', 'NotFoundError', 'ConflictError'] });

builder.mutationField('createPolicy', (t) =>
  t.field({
    type: CreatePolicyResult,
    description: 'Attaches a policy. It judges from the next event on; what is pending stays as it is.',
    args: { input: t.arg({ type: CreatePolicyInput, required: true, description: 'The new policy.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await createPolicy(context.openGate(), input);
      return outcome.kind === 'created' ? outcome.policy : outcome;
    },
  }),
);
