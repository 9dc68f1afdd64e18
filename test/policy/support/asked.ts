import type { Handler, Json, JsonObject, ModelAnswer, ModelQuestion, Opinion, PolicyEvent } from '../../../src/policy/index.ts';
import { facts } from './pass.ts';

export interface Asked {
  readonly opinion: Opinion;
  /** What the model was asked, in order. */
  readonly questions: readonly ModelQuestion[];
}

export function said(object: Json): ModelAnswer {
  return { kind: 'answered', text: JSON.stringify(object) };
}

/** Lets a handler judge one event, with a model that always answers so. */
export function judged(handler: Handler, event: PolicyEvent, { params = {}, state = {}, answer = { kind: 'notConfigured' } }: { params?: JsonObject; state?: JsonObject; answer?: ModelAnswer } = {}): Asked {
  const built = handler.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  const questions: ModelQuestion[] = [];
  const askModel = (question: ModelQuestion): ModelAnswer => {
    questions.push(question);
    return answer;
  };
  return { opinion: built.judge({ event, facts: facts({ state }), askModel }), questions };
}
