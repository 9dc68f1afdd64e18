import { deletePolicy } from '../../gate/delete-policy.ts';
import { builder } from '../builder.ts';
import { resultUnion } from '../types/result.ts';

const DeletePolicyInput = builder.inputType('DeletePolicyInput', {
  description: 'Which policy is to go.',
  fields: (t) => ({ policyId: t.id({ required: true, description: 'The policy. Unknown, or deleted already: NotFoundError.' }) }),
});

builder.objectType('DeletedPolicy', {
  description: 'What is left of a deleted policy.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'The id that it had.' }) }),
});

const DeletePolicyResult = resultUnion('DeletePolicy', { success: 'DeletedPolicy', errors: ['NotFoundError', 'ConflictError'] });

builder.mutationField('deletePolicy', (t) =>
  t.field({
    type: DeletePolicyResult,
    description: 'Deletes a policy for good. One that comes from the configuration: ConflictError. Evaluations keep its name; what is pending stays pending.',
    args: { input: t.arg({ type: DeletePolicyInput, required: true, description: 'Which policy is to go.' }) },
    resolve: async (_root, { input }, context) => deletePolicy(context.openGate(), input),
  }),
);
