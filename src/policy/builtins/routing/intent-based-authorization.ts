import type { PolicyEvent } from '../../event.ts';
import { excerptForModel } from '../../excerpt-for-model.ts';
import { firstCodePoints } from '../../first-code-points.ts';
import { defineHandler, type JudgeInput } from '../../handler.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { answerWord, wordSchema } from '../../model-answer-object.ts';
import { requestText } from '../../request-text.ts';
import { sha256Hex } from '../../sha256.ts';
import { readToolCall } from '../../tool-call.ts';
import { abstain, allow, ask, set, type Opinion } from '../../verdict.ts';

export const intentBasedAuthorization = defineHandler({
  name: 'routing.intent_based_authorization',
  title: 'Ask before calls that do not serve the request',
  description:
    "Keeps the first request of a session as its intent, and asks the server's language model of each tool call whether it serves that intent. One that " +
    'does not is asked about. Has no effect where no model is configured, or where it fails.',
  phases: ['REQUEST', 'TOOL_CALL'],
  needs: ['state'],
  judge({ event, facts, askModel }) {
    const stored = facts.state[intentKey];
    const intent = typeof stored === 'string' && stored !== '' ? stored : null;
    if (event.type === 'request') return intent === null ? keepIntent(requestText(event) ?? '') : abstain();
    return event.type === 'tool_call' && intent !== null ? judgeCall({ event, facts, askModel }, intent) : abstain();
  },
});

const intentKey = '_intent_based_authorization_intent';

const intentCharsMax = 1000;

function keepIntent(text: string): Opinion {
  const intent = firstCodePoints(text.trim(), intentCharsMax);
  return intent === '' ? abstain() : allow({ stateUpdates: [set(intentKey, intent)] });
}

function judgeCall({ event, facts, askModel }: JudgeInput<'state'>, intent: string): Opinion {
  const names = readToolCall(event)?.names ?? [];
  const args = argumentsOf(event);
  const key = `_intent_based_authorization_check:${checkHash({ intent, names, args })}`;
  const known = facts.state[key];
  if (known === 'OFF_TASK') return ask(reason);
  if (known === 'ON_TASK') return abstain();
  const material = [
    { title: 'The intent', text: intent },
    { title: 'The tool', text: names.join(', ') },
    { title: 'The arguments', text: excerptForModel(JSON.stringify(args)) },
  ];
  const verdict = answerWord(askModel({ instructions, material, answerSchema }), 'verdict', verdicts);
  if (verdict === null) return abstain();
  const effects = { stateUpdates: [set(key, verdict)] };
  return verdict === 'OFF_TASK' ? ask(reason, effects) : allow(effects);
}

const verdicts = ['ON_TASK', 'OFF_TASK'] as const;

const answerSchema = wordSchema('verdict', verdicts);

const instructions =
  'A person has told an AI agent what to do: the intent. The agent now wants to make a tool call. Does this call serve the intent? ON_TASK: it serves it, or is a ' +
  'usual step on the way, such as reading, searching or running tests. OFF_TASK: it does something else, goes beyond it, or sends or deletes what the intent ' +
  'does not speak of. Answer with the verdict ON_TASK or OFF_TASK.';

const reason = 'This call does not seem to serve what was asked of the agent.';

/** Of a payload that is no object, all of it. */
function argumentsOf({ data }: PolicyEvent): Json {
  const payload = data as unknown as Json;
  return isJsonObject(payload) ? (payload['arguments'] ?? {}) : payload;
}

interface Check {
  readonly intent: string;
  readonly names: readonly string[];
  readonly args: Json;
}

/**
 * To the letter but for the order of members: a hidden character more is another call. Half of SHA-256 is more than the reference
 * keeps, whose 64 bits an agent could search for a harmless call that stands for a harmful one.
 */
function checkHash(check: Check): string {
  return sha256Hex(JSON.stringify(check, (_key, value: Json) => (isJsonObject(value) ? inOrder(value) : value))).slice(0, 32);
}

function inOrder(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
