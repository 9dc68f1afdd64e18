import { embeddedJson } from './embedded-json.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import type { ModelAnswer } from './model-question.ts';

/**
 * What a model's answer says: the JSON object that it was asked for, read strictly. A code fence around all of it is removed; words
 * before or after the JSON make it unreadable, because nobody knows then which part is meant.
 */
export function answerObject(answer: ModelAnswer): AnswerObject {
  if (answer.kind !== 'answered') return { kind: answer.kind };
  const text = answer.text.trim();
  if (text === '') return { kind: 'empty' };
  const object = embeddedJson(withoutFence(text));
  return isJsonObject(object) ? { kind: 'object', object } : { kind: 'unreadable' };
}

export type AnswerObject =
  | { readonly kind: 'notConfigured' | 'failed' | 'empty' | 'unreadable' }
  | { readonly kind: 'object'; readonly object: JsonObject };

/** The word under `key`, when the answer is readable and the word one of `words`, to the letter; else null. */
export function answerWord<Word extends string>(answer: ModelAnswer, key: string, words: readonly Word[]): Word | null {
  const read = answerObject(answer);
  if (read.kind !== 'object') return null;
  const said = read.object[key];
  return words.find((word) => word === said) ?? null;
}

/** JSON Schema of an object with exactly this word in it, as strict structured outputs want it. */
export function wordSchema(key: string, words: readonly string[]): JsonObject {
  return Object.freeze({
    type: 'object',
    properties: { [key]: { type: 'string', enum: words } },
    required: [key],
    additionalProperties: false,
  });
}

const fence = '```';

function withoutFence(text: string): string {
  if (text.length < 2 * fence.length || !text.startsWith(fence) || !text.endsWith(fence)) return text;
  return text.slice(fence.length, -fence.length).replace(/^[\w+-]*/, '');
}
