import { recordUsage } from '../../gate/record-usage.ts';
import { builder } from '../builder.ts';
import { resultUnion } from '../types/result.ts';

const count = 'A whole number from 0 to 9,007,199,254,740,991; Float because Int ends at 2,147,483,647.';

const RecordUsageInput = builder.inputType('RecordUsageInput', {
  description: 'What a session has used since its last report: amounts to be added, not totals.',
  fields: (t) => ({
    sessionId: t.id({ required: true, description: 'The session that used it. Unknown: NotFoundError. An ended one takes reports, too: what was spent counts.' }),
    idempotencyKey: t.string({
      description:
        '1 to 256 characters, once trimmed. Same key, same session, same report: counted once, for good, whatever is retried. Same key, other report: ConflictError. Omitted: each call counts.',
    }),
    inputTokens: t.float({ description: `Tokens sent to models. ${count} Default: 0.` }),
    outputTokens: t.float({ description: `Tokens that models produced. ${count} Default: 0.` }),
    totalTokens: t.float({ description: `All tokens. ${count} Default: those sent and those produced.` }),
    cacheReadInputTokens: t.float({ description: `Tokens read from a prompt cache. ${count} Default: 0.` }),
    cacheCreationInputTokens: t.float({ description: `Tokens written to a prompt cache. ${count} Default: 0.` }),
    costUsd: t.float({
      description:
        'What it cost in US dollars, 0 to 9,007,199,254,740,991. 0: it was free. Omitted: its price is not known; budgets ask once about a session tree of which no price was ever known.',
    }),
  }),
});

const RecordUsageResult = resultUnion('RecordUsage', { success: 'Session', errors: ['InvalidInputError', 'NotFoundError', 'ConflictError'] });

builder.mutationField('recordUsage', (t) =>
  t.field({
    type: RecordUsageResult,
    description:
      "Adds to what a session has used, for the cost policies: to its own usage, to that of the whole tree it belongs to, and to its owner's cost of the day (UTC). Every event that is judged once this is answered is judged on it.",
    args: { input: t.arg({ type: RecordUsageInput, required: true, description: 'What was used.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await recordUsage(context.openGate(), input);
      return outcome.kind === 'recorded' ? outcome.session : outcome;
    },
  }),
);
