import type { ModelAnswer, ModelQuestion } from '../policy/model-question.ts';

export type { ModelAnswer, ModelQuestion };

/** The language model that judging policies ask. */
export interface Model {
  /**
   * Never rejects: whatever goes wrong, and an aborted signal, is `failed`. Rendering the question is the model's business: the
   * material must be marked off from the instructions, and said to be data.
   */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>;
}
