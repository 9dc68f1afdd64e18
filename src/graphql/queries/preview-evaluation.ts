import { previewEvaluation } from '../../gate/preview-evaluation.ts';
import { builder } from '../builder.ts';
import { PolicyEventInput } from '../types/policy-event-input.ts';
import { queryResultUnion } from '../types/result.ts';

const PreviewEvaluationInput = builder.inputType('PreviewEvaluationInput', {
  description: 'An event to try on a session.',
  fields: (t) => ({
    sessionId: t.id({ required: true, description: 'The session. Unknown: NotFoundError.' }),
    event: t.field({ type: PolicyEventInput, required: true, description: 'What would be judged.' }),
  }),
});

const PreviewEvaluationResult = queryResultUnion('PreviewEvaluation', { success: 'EvaluationPreview', errors: ['InvalidInputError', 'NotFoundError'] });

builder.queryField('previewEvaluation', (t) =>
  t.field({
    type: PreviewEvaluationResult,
    description: "What evaluatePolicy would say now, by the session's real policies, labels and state. No side effect at all: nothing is stored, no person is asked; a judging model may be.",
    args: { input: t.arg({ type: PreviewEvaluationInput, required: true, description: 'What would be judged, and where.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await previewEvaluation(context.gate(), input);
      return outcome.kind === 'previewed' ? outcome.decision : outcome;
    },
  }),
);
