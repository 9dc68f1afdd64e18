import { updateAgent, type UpdateAgentInput as Input } from '../../gate/update-agent.ts';
import { builder } from '../builder.ts';
import { LabelDefinitionInput } from '../types/agent.ts';
import { resultUnion } from '../types/result.ts';

const UpdateAgentInput = builder.inputRef<Input, false>('UpdateAgentInput').implement({
  description: 'What is to change of an agent. Omitted fields stay; null clears a field that may be empty.',
  fields: (t) => ({
    agentId: t.id({ required: true, description: 'The agent. Unknown: NotFoundError.' }),
    name: t.string({ description: 'As in CreateAgentInput; cannot be cleared.' }),
    description: t.string({ description: 'As in CreateAgentInput.' }),
    askTimeoutSeconds: t.int({ description: 'As in CreateAgentInput. What is pending keeps its deadline.' }),
    labelDefinitions: t.field({ type: [LabelDefinitionInput], description: 'All definitions anew, as in CreateAgentInput; `[]` for none. Labels of existing sessions stay as they are.' }),
  }),
});

const UpdateAgentResult = resultUnion('UpdateAgent', { success: 'Agent', errors: ['InvalidInputError', 'NotFoundError', 'ConflictError'] });

builder.mutationField('updateAgent', (t) =>
  t.field({
    type: UpdateAgentResult,
    description: 'Changes an agent. Sessions that run already are judged by the new values from the next event on.',
    args: { input: t.arg({ type: UpdateAgentInput, required: true, description: 'Which agent, and what is to change.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await updateAgent(context.openGate(), input);
      return outcome.kind === 'updated' ? outcome.agent : outcome;
    },
  }),
);
