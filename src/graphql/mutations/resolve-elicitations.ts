import { resolveElicitations } from '../../gate/resolve-elicitations.ts';
import { builder } from '../builder.ts';
import { ElicitationAction } from '../types/enums.ts';
import { resultUnion } from '../types/result.ts';

const ResolveElicitationsInput = builder.inputType('ResolveElicitationsInput', {
  description: 'One answer to many elicitations.',
  fields: (t) => ({
    ids: t.idList({ required: true, description: 'The elicitations, 1 to 500; one named twice counts once. Unknown: NotFoundError.' }),
    action: t.field({ type: ElicitationAction, required: true, description: 'The answer. An elicitation with a form cannot be accepted this way: InvalidInputError.' }),
    comment: t.string({ description: 'For the record, at most 4,096 characters; reaches the agents as the reason on DECLINE and CANCEL. Default: none.' }),
  }),
});

const ResolveElicitationsResult = resultUnion('ResolveElicitations', {
  success: 'ResolvedElicitations',
  errors: ['InvalidInputError', 'NotFoundError', 'ForbiddenError', 'AlreadyResolvedError'],
});

builder.mutationField('resolveElicitations', (t) =>
  t.field({
    type: ResolveElicitationsResult,
    description: 'A person decides many at once: all of them, or, when one cannot be resolved, none. The message of the error names the ids at fault.',
    args: { input: t.arg({ type: ResolveElicitationsInput, required: true, description: 'The answer.' }) },
    resolve: async (_root, { input }, context) => resolveElicitations(context.openGate(), input),
  }),
);
