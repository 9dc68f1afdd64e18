import { createAgent } from '../../gate/create-agent.ts';
import { builder } from '../builder.ts';
import { LabelDefinitionInput } from '../types/agent.ts';
import { resultUnion } from '../types/result.ts';

const CreateAgentInput = builder.inputType('CreateAgentInput', {
  description: 'A new agent.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Unique in the installation: 1 to 256 characters once trimmed, not beginning with `__`. Taken: ConflictError.' }),
    description: t.string({ description: 'For people, at most 4,096 characters. Default: none.' }),
    askTimeoutSeconds: t.int({ description: 'How long an ask waits for a decision where its policy does not say: 1 to 31,536,000 seconds (a year). Default: 86,400 (a day).' }),
    labelDefinitions: t.field({ type: [LabelDefinitionInput], description: 'The labels that its sessions know, at most 100. Default: none, all labels are free.' }),
  }),
});

const CreateAgentResult = resultUnion('CreateAgent', { success: 'Agent', errors: ['InvalidInputError', 'ConflictError'] });

builder.mutationField('createAgent', (t) =>
  t.field({
    type: CreateAgentResult,
    description: 'Creates an agent.',
    args: { input: t.arg({ type: CreateAgentInput, required: true, description: 'The new agent.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await createAgent(context.openGate(), input);
      return outcome.kind === 'created' ? outcome.agent : outcome;
    },
  }),
);
