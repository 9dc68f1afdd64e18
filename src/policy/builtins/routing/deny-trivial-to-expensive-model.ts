import { z } from 'zod';
import { excerptForModel } from '../../excerpt-for-model.ts';
import { defineHandler } from '../../handler.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { answerWord, wordSchema } from '../../model-answer-object.ts';
import { sha256Hex } from '../../sha256.ts';
import { abstain, allow, deny, set } from '../../verdict.ts';

export const denyTrivialToExpensiveModel = defineHandler({
  name: 'routing.deny_trivial_to_expensive_model',
  title: 'Keep trivial requests from expensive models',
  description:
    "Asks the server's language model whether the last message to an expensive model is trivial, and denies the request when it is. Each message of a " +
    'session is asked about once. Has no effect where no model is configured, or where it fails.',
  phases: ['LLM_REQUEST'],
  needs: ['state'],
  params: z.object({
    expensive_models: z.array(z.string()).meta({ title: 'Expensive models', description: 'Ids of models that trivial messages may not go to, to the letter.' }),
    classification_prompt: z
      .string()
      .nullable()
      .default(null)
      .meta({ title: 'Instructions', description: 'What the model is told of trivial and complex, instead of the standard words.' }),
  }),
  create({ expensive_models: models, classification_prompt: prompt }) {
    const expensive = new Set(models);
    const instructions = `${prompt?.trim() ? prompt : standardInstructions}\n\nAnswer with the difficulty TRIVIAL or COMPLEX.`;
    return ({ event, facts, askModel }) => {
      const message = event.type === 'llm_request' ? messageTo(expensive, event.data) : null;
      if (message === null) return abstain();
      const key = `_routing_classification:${sha256Hex(message).slice(0, 16)}`;
      const known = facts.state[key];
      if (known === 'TRIVIAL') return deny(reason);
      if (known === 'COMPLEX') return abstain();
      const answer = askModel({ instructions, material: [{ title: 'The message', text: excerptForModel(message) }], answerSchema });
      const difficulty = answerWord(answer, 'difficulty', difficulties);
      if (difficulty === null) return abstain();
      const effects = { stateUpdates: [set(key, difficulty)] };
      return difficulty === 'TRIVIAL' ? deny(reason, effects) : allow(effects);
    };
  },
});

const difficulties = ['TRIVIAL', 'COMPLEX'] as const;

const answerSchema = wordSchema('difficulty', difficulties);

const standardInstructions =
  'You sort messages to a language model by how hard they are to answer well. TRIVIAL: greetings, thanks, small talk, questions of fact or format that any small ' +
  'model answers. COMPLEX: whatever needs several steps, code, design, analysis or care. When in doubt: COMPLEX.';

const reason = 'This message is simple: send it to a cheaper model.';

/** What is to be sorted; null: nothing, or not on its way to one of these models. Throws on a model that is a list or an object. */
function messageTo(models: ReadonlySet<string>, data: Json): string | null {
  if (!isJsonObject(data)) return null;
  const { model, last_user_message: message } = data;
  if (typeof model === 'object' && model !== null) throw new TypeError('The id of a model is a text.');
  if (typeof model !== 'string' || !models.has(model)) return null;
  return typeof message === 'string' && message.trim() !== '' ? message : null;
}
