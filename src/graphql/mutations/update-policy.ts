import { updatePolicy, type UpdatePolicyInput as Input } from '../../gate/update-policy.ts';
import { builder } from '../builder.ts';
import { PolicySelectorInput } from '../types/policy.ts';
import { resultUnion } from '../types/result.ts';

const UpdatePolicyInput = builder.inputRef<Input, false>('UpdatePolicyInput').implement({
  description: 'What is to change of a policy. Omitted fields stay; null clears a field that may be empty. The target never changes.',
  fields: (t) => ({
    policyId: t.id({ required: true, description: 'The policy. Unknown: NotFoundError.' }),
    name: t.string({ description: 'As in CreatePolicyInput; cannot be cleared.' }),
    handler: t.string({ description: 'As in CreatePolicyInput, of the same kind as before; cannot be cleared. Another kind: InvalidInputError.' }),
    params: t.field({ type: 'JSONObject', description: 'All params anew, as in CreatePolicyInput.' }),
    on: t.field({ type: [PolicySelectorInput], description: 'All selectors anew, as in CreatePolicyInput.' }),
    condition: t.field({ type: 'JSONObject', description: 'The whole condition anew, as in CreatePolicyInput.' }),
    writableLabels: t.stringList({ description: 'All labels anew, as in CreatePolicyInput.' }),
    askTimeoutSeconds: t.int({ description: 'As in CreatePolicyInput. What is pending keeps its deadline.' }),
    enabled: t.boolean({ description: 'Whether it judges at all; cannot be cleared.' }),
  }),
});

const UpdatePolicyResult = resultUnion('UpdatePolicy', { success: 'Policy', errors: ['InvalidInputError', 'NotFoundError', 'ConflictError'] });

builder.mutationField('updatePolicy', (t) =>
  t.field({
    type: UpdatePolicyResult,
    description: 'Changes a policy. It judges as changed from the next event on. A change at the same time as another is a ConflictError.',
    args: { input: t.arg({ type: UpdatePolicyInput, required: true, description: 'Which policy, and what is to change.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await updatePolicy(context.openGate(), input);
      return outcome.kind === 'updated' ? outcome.policy : outcome;
    },
  }),
);
