import { z } from 'zod';
import { phases, type PolicyEvent } from '../../event.ts';
import { firstCodePoints } from '../../first-code-points.ts';
import { defineHandler } from '../../handler.ts';
import type { Json, JsonObject } from '../../json.ts';
import { answerObject, type AnswerObject } from '../../model-answer-object.ts';
import type { ModelQuestion } from '../../model-question.ts';
import { abstain, allow, ask, deny, type Opinion } from '../../verdict.ts';

export const promptPolicy = defineHandler({
  name: 'prompt.prompt_policy',
  title: 'Let a model judge by your words',
  description:
    "Asks the server's language model whether an event is to be allowed, denied or asked about, by a rule in your own words. Denies when the model fails or " +
    'gives an answer that cannot be read. Has no effect where no model is configured.',
  phases,
  needs: ['state'],
  params: z.object({
    prompt: z.string().meta({ title: 'Rule', description: 'What the model is to decide by, e.g. "Deny what deletes customer data; ask about refunds."' }),
    reason: z.string().nullable().default(null).meta({ title: 'Reason', description: "What is said instead of the model's own reason. Null: the model's." }),
  }),
  create({ prompt, reason }) {
    const instructions = `${frame}\n\nThe rule:\n${prompt}`;
    return ({ event, facts, askModel }) => {
      const answer = askModel({ instructions, material: materialOf(event, facts.state), answerSchema });
      return opinionOf(answerObject(answer), reason);
    };
  },
});

const frame =
  'You judge one event in the work of an AI agent by the rule below. Answer with an action: "allow" when the rule has nothing against the event, "deny" when ' +
  'it must not happen, "ask" when a person is to decide. Give the reason in one short sentence.';

const answerSchema: JsonObject = Object.freeze({
  type: 'object',
  properties: { action: { type: 'string', enum: ['allow', 'deny', 'ask'] }, reason: { type: 'string' } },
  required: ['action', 'reason'],
  additionalProperties: false,
});

function materialOf(event: PolicyEvent, state: JsonObject): ModelQuestion['material'] {
  // Vectors and programs of one's own come with events that lack what ours have.
  const { type = 'unknown', target = null, data = null } = event as { type?: string; target?: string | null; data?: Json };
  const call = 'request_data' in event ? event.request_data : undefined;
  return [
    { title: 'Phase', text: type },
    ...(target === null ? [] : [{ title: 'Tool', text: target }]),
    { title: 'Payload', text: textOf(data) },
    ...(call === undefined ? [] : [{ title: 'Call that led to this result', text: textOf(call as unknown as Json) }]),
    ...(Object.keys(state).length === 0 ? [] : [{ title: "The session's state", text: textOf(state), passing: true }]),
  ];
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function opinionOf(read: AnswerObject, fixedReason: string | null): Opinion {
  switch (read.kind) {
    case 'notConfigured':
    case 'empty':
      return abstain();
    case 'failed':
      return deny(fixedReason ?? 'The model that judges this rule gave no answer.');
    case 'unreadable':
      return deny(fixedReason ?? 'The model that judges this rule gave an answer that cannot be read.');
    case 'object':
      return opinionOfAction(read.object, fixedReason);
    default:
      return read satisfies never;
  }
}

function opinionOfAction({ action, reason }: JsonObject, fixedReason: string | null): Opinion {
  const given = typeof reason === 'string' && reason.trim() !== '' ? firstCodePoints(reason.trim(), reasonCharsMax) : null;
  switch (typeof action === 'string' ? action.toLowerCase() : '') {
    case 'allow':
      return allow();
    case 'ask':
      return ask(fixedReason ?? given ?? 'The model that judges this rule wants a person to decide.');
    case 'deny':
      return deny(fixedReason ?? given ?? 'The model that judges this rule denies it.');
    default:
      return deny(fixedReason ?? 'The model that judges this rule gave an answer that cannot be read.');
  }
}

const reasonCharsMax = 1000;
