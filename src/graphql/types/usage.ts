import { builder } from '../builder.ts';

/** A whole number that may be beyond GraphQL's Int, which ends at 2,147,483,647: a long session of cached reads passes it. */
const float = 'A whole number; Float because Int ends at 2,147,483,647.';

builder.objectType('Usage', {
  description: 'What one session has used so far, its descendants not included.',
  fields: (t) => ({
    inputTokens: t.exposeFloat('inputTokens', { description: `Tokens sent to models. ${float}` }),
    outputTokens: t.exposeFloat('outputTokens', { description: `Tokens that models produced. ${float}` }),
    totalTokens: t.exposeFloat('totalTokens', { description: `All tokens. ${float}` }),
    cacheReadInputTokens: t.exposeFloat('cacheReadInputTokens', { description: `Tokens read from a prompt cache. ${float}` }),
    cacheCreationInputTokens: t.exposeFloat('cacheCreationInputTokens', { description: `Tokens written to a prompt cache. ${float}` }),
    totalCostUsd: t.exposeFloat('totalCostUsd', { nullable: true, description: 'Cost in US dollars; null: nothing was priced yet.' }),
  }),
});
