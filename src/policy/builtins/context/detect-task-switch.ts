import { z } from 'zod';
import { excerptForModel } from '../../excerpt-for-model.ts';
import { firstCodePoints } from '../../first-code-points.ts';
import { defineHandler } from '../../handler.ts';
import { isJsonList, type Json } from '../../json.ts';
import { answerWord, wordSchema } from '../../model-answer-object.ts';
import { object } from '../../objection.ts';
import { InvalidParams } from '../../params-issues.ts';
import { requestText } from '../../request-text.ts';
import { abstain, allow, set, type Effects } from '../../verdict.ts';

export const detectTaskSwitch = defineHandler({
  name: 'context.detect_task_switch',
  title: 'Notice when the task changes',
  description:
    "Asks the server's language model whether a request goes on with what was asked before or begins another task, and asks or denies when it is another. " +
    'Has no effect where no model is configured, or where it fails.',
  phases: ['REQUEST'],
  needs: ['state'],
  params: z.object({
    min_turns: z.int().min(0).default(1).meta({ title: 'First turns', description: 'How many earlier messages there must be before the model is asked.' }),
    history_window: z.int().min(1).max(100).default(10).meta({ title: 'Window', description: 'How many of the latest messages are kept and shown to the model.' }),
    action: z
      .preprocess((value) => (typeof value === 'string' && value.trim().toUpperCase() === 'DENY' ? 'DENY' : 'ASK'), z.enum(['ASK', 'DENY']))
      .default('ASK')
      .meta({ title: 'Action', description: 'What to do when the task changes. Any other word asks.' }),
    classification_prompt: z
      .string()
      .nullable()
      .default(null)
      .meta({ title: 'Instructions', description: 'What the model is told of a change of task, instead of the standard words.' }),
  }),
  create({ min_turns: turnsMin, history_window: window, action, classification_prompt: prompt }) {
    if (turnsMin > window) throw new InvalidParams([{ path: ['min_turns'], message: 'must not be above history_window: no more messages are kept, so the model would never be asked' }]);
    const instructions = `${prompt?.trim() ? prompt : standardInstructions}\n\nAnswer with the verdict CONTINUATION or TASK_SWITCH.`;
    return ({ event, facts, askModel }) => {
      const text = requestText(event) ?? '';
      if (text.trim() === '') return abstain();
      const history = historyIn(facts.state[historyKey]);
      const latest = firstCodePoints(text, messageCharsMax);
      const goOn = { stateUpdates: [set(historyKey, [...history, latest].slice(-window))] };
      if (history.length < turnsMin) return allow(goOn);
      const answer = askModel({ instructions, material: materialOf(history, text), answerSchema });
      switch (answerWord(answer, 'verdict', verdicts)) {
        case null:
          return abstain();
        case 'CONTINUATION':
          return allow(goOn);
        case 'TASK_SWITCH': {
          const startAnew: Effects = { stateUpdates: [set(historyKey, [latest])] };
          return object(action, 'This request begins another task than the ones before it.', startAnew);
        }
      }
    };
  },
});

const historyKey = '_task_switch_history';

const messageCharsMax = 500;

const verdicts = ['CONTINUATION', 'TASK_SWITCH'] as const;

const answerSchema = wordSchema('verdict', verdicts);

const standardInstructions =
  'You see the earlier messages of a person to an AI agent, and the latest one. Does the latest one go on with the task of the earlier ones? CONTINUATION: it follows ' +
  'up, corrects, refines, asks back, or takes the next step. TASK_SWITCH: it begins something that has nothing to do with them.';

function historyIn(stored: Json | undefined): readonly string[] {
  return isJsonList(stored) ? stored.filter((message) => typeof message === 'string') : [];
}

function materialOf(history: readonly string[], latest: string) {
  return [
    { title: 'Earlier messages, the oldest first', text: history.map((message) => `- ${message.replaceAll('\n', '\n  ')}`).join('\n') },
    { title: 'The latest message', text: excerptForModel(latest) },
  ];
}
