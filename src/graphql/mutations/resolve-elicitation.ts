import { resolveElicitation } from '../../gate/resolve-elicitation.ts';
import { builder } from '../builder.ts';
import { ElicitationAction } from '../types/enums.ts';
import { resultUnion } from '../types/result.ts';

const ResolveElicitationInput = builder.inputType('ResolveElicitationInput', {
  description: "A person's answer to an elicitation.",
  fields: (t) => ({
    elicitationId: t.id({ required: true, description: 'The elicitation. Unknown: NotFoundError.' }),
    action: t.field({ type: ElicitationAction, required: true, description: 'The answer.' }),
    expectedDigest: t.string({ description: 'The `digest` of what the approver saw. A mismatch is StaleElicitationError and decides nothing. Omitted: not checked.' }),
    content: t.field({ type: 'JSONObject', description: "The form's values, with ACCEPT only, checked against `requestedSchema`. Default: none." }),
    comment: t.string({ description: 'For the record, at most 4,096 characters; reaches the agent as the reason on DECLINE and CANCEL. Default: none.' }),
    editedArguments: t.field({
      type: 'JSONObject',
      description:
        'What the tool is to get instead, with ACCEPT of a TOOL_CALL only: all arguments anew. The edited call is judged again by all policies; a denial, or an ask that this elicitation does not cover, is EditRefusedError. Default: the arguments stay.',
    }),
  }),
});

const ResolveElicitationResult = resultUnion('ResolveElicitation', {
  success: 'Elicitation',
  errors: ['InvalidInputError', 'NotFoundError', 'ForbiddenError', 'AlreadyResolvedError', 'StaleElicitationError', 'EditRefusedError'],
});

builder.mutationField('resolveElicitation', (t) =>
  t.field({
    type: ResolveElicitationResult,
    description:
      'A person decides, once. Of any number of racing answers one wins; the others get AlreadyResolvedError. The same answer again by the same principal is not an error. On ACCEPT what the policies wanted written is written, and other asks of the session that this settles are closed.',
    args: { input: t.arg({ type: ResolveElicitationInput, required: true, description: 'The answer.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await resolveElicitation(context.openGate(), input);
      return outcome.kind === 'resolved' ? outcome.elicitation : outcome;
    },
  }),
);
