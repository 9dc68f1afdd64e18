import type { ModelAnswer, ModelQuestion } from '../policy/model-question.ts';
import type { Gate } from './gate.ts';
import type { Model } from './model.ts';

const questionsMax = 20;

const notConfigured: ModelAnswer = Object.freeze({ kind: 'notConfigured' });

const failed: ModelAnswer = Object.freeze({ kind: 'failed' });

/** What the model is asked in the course of judging one event: each question once, however often the event is judged. */
export class Consultation {
  readonly #gate: Pick<Gate, 'model' | 'closing' | 'log'>;
  readonly #caller: AbortSignal | null;
  readonly #answers = new Map<string, ModelAnswer>();
  #hasFailed = false;

  /** `caller`: who goes away with it makes the asking pointless; null: nobody does. */
  constructor(gate: Pick<Gate, 'model' | 'closing' | 'log'>, caller: AbortSignal | null) {
    this.#gate = gate;
    this.#caller = caller;
  }

  /** How many questions were asked. */
  get count(): number {
    return this.#answers.size;
  }

  /** Whether some question found no answer, or there were too many. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Undefined: it is still to be asked. Throws, and so makes the policy fail, when an event raises question after question. */
  readonly answerTo = (question: ModelQuestion): ModelAnswer | undefined => {
    if (!this.#gate.model) return notConfigured;
    const answer = this.#answers.get(textOf(question));
    if (answer || this.#answers.size < questionsMax) return answer;
    this.#hasFailed = true;
    throw new Error(`The policies have more than ${questionsMax} questions about one event.`);
  };

  /** `stopped`: the caller has gone or the server shuts down, so nothing is to be decided. */
  async ask(question: ModelQuestion): Promise<'answered' | 'stopped'> {
    const { model, closing } = this.#gate;
    const signal = this.#caller ? AbortSignal.any([this.#caller, closing]) : closing;
    const answer = model && !signal.aborted ? await this.#answerOf(model, question, signal) : failed;
    if (answer.kind === 'failed' && signal.aborted) return 'stopped';
    if (answer.kind === 'failed') this.#hasFailed = true;
    this.#answers.set(textOf(question), answer);
    return 'answered';
  }

  async #answerOf(model: Model, question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer> {
    try {
      return await model.ask(question, signal);
    } catch (error) {
      this.#gate.log.error({ err: error }, 'the model threw, which it must not');
      return failed;
    }
  }
}

/** By it a question is known again: what passes by itself makes no other question of it. */
function textOf({ instructions, material, answerSchema }: ModelQuestion): string {
  return JSON.stringify([instructions, answerSchema, ...material.filter(({ passing = false }) => !passing)]);
}
