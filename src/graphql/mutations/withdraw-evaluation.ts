import { withdrawEvaluation } from '../../gate/withdraw-evaluation.ts';
import { builder } from '../builder.ts';
import { resultUnion } from '../types/result.ts';

const WithdrawEvaluationInput = builder.inputType('WithdrawEvaluationInput', {
  description: 'Which evaluation: either `evaluationId`, or `sessionId` and `idempotencyKey`, for a caller whose call is held and who knows no id yet. Anything else is an InvalidInputError.',
  fields: (t) => ({
    evaluationId: t.id({ description: 'The evaluation. Unknown: NotFoundError.' }),
    sessionId: t.id({ description: 'The session that it was called for.' }),
    idempotencyKey: t.string({ description: 'The key that it was called with. Unknown in this session: NotFoundError.' }),
  }),
});

const WithdrawEvaluationResult = resultUnion('WithdrawEvaluation', { success: 'Evaluation', errors: ['InvalidInputError', 'NotFoundError'] });

builder.mutationField('withdrawEvaluation', (t) =>
  t.field({
    type: WithdrawEvaluationResult,
    description:
      'The caller gave up: an undecided evaluation is ABANDONED at once, and its elicitation CANCELLED unless another evaluation waits for it. A decided one stays as it is and is given back.',
    args: { input: t.arg({ type: WithdrawEvaluationInput, required: true, description: 'Which evaluation.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await withdrawEvaluation(context.openGate(), input);
      return outcome.kind === 'withdrawn' ? outcome.evaluation : outcome;
    },
  }),
);
