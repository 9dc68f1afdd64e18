import { isDeepStrictEqual } from 'node:util';
import { MalformedAnswerError } from '../sdk/errors.ts';
import type { EvaluationFieldsFragment } from '../sdk/generated.ts';
import type { Json, JsonObject } from '../sdk/json.ts';
import type { Act, Answer } from './host.ts';
import { isObject } from './json.ts';

export type Evaluation = EvaluationFieldsFragment;

/** What a decided evaluation says of the act. Throws a `MalformedAnswerError` where it says nothing that could be acted on. */
export function answerIn(act: Act, { verdict, status, reason, decidedBy, data }: Evaluation): Answer {
  if (verdict === 'DENY') return { verdict, reason: reason?.trim() || (decidedBy === 'EXPIRY' ? 'Nobody decided in time.' : 'Denied.') };
  if (verdict !== 'ALLOW' || status !== 'DECIDED') throw new MalformedAnswerError(`the verdict is ${verdict}, the status ${status}: that permits nothing.`);
  return { verdict, instead: data === null || data === undefined ? null : insteadOf(act, data as Json) };
}

/** Null where what counts is what was judged. */
function insteadOf({ event }: Act, data: Json): JsonObject | string | null {
  if ('toolCall' in event) {
    const { name, arguments: args } = event.toolCall;
    if (!isObject(data) || data['name'] !== name || !isObject(data['arguments'])) throw new MalformedAnswerError('the call was changed in a way that makes it another one.');
    return isDeepStrictEqual(data['arguments'], args) ? null : data['arguments'];
  }
  const value = isObject(data) ? ('request' in event ? data['user_content'] : data['result']) : data;
  if (value === undefined) throw new MalformedAnswerError('what is to be used instead is not there.');
  const judged = 'request' in event ? event.request.content : event.toolResult.result;
  const text = (given: Json) => (typeof given === 'string' ? given : given === null ? '' : JSON.stringify(given));
  return text(value) === text(judged) ? null : text(value);
}
