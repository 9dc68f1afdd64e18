import type { JsonObject } from './json.ts';

/** What a handler wants to know from the language model that judges. The gate asks, the handler reads the answer. */
export interface ModelQuestion {
  /** What the model is to decide, in the words of whoever wrote the policy. */
  readonly instructions: string;
  /** What it is to look at. Nobody's words to follow: the gate marks each part off from the instructions. */
  readonly material: readonly Material[];
  /** JSON Schema of the object that the answer must be. */
  readonly answerSchema: JsonObject;
}

export interface Material {
  readonly title: string;
  readonly text: string;
  /**
   * It changes with every other call of the session. When only such parts have changed since the model was asked, its answer still
   * holds; else a busy session would never get one.
   */
  readonly passing?: boolean;
}

export type ModelAnswer =
  /** No model is configured. */
  | { readonly kind: 'notConfigured' }
  /** It could not be asked, or gave no answer in time. */
  | { readonly kind: 'failed' }
  /** What it said, as it said it: to be checked against the schema by who asked. */
  | { readonly kind: 'answered'; readonly text: string };

/** Thrown through a judge whose question has no answer yet: the pass stops, the question is asked, and a new pass finds the answer. */
export class OpenQuestion extends Error {
  readonly question: ModelQuestion;

  constructor(question: ModelQuestion) {
    super('A question to the model is open.');
    this.question = question;
  }
}
