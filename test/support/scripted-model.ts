import type { Model, ModelAnswer, ModelQuestion } from '../../src/gate/model.ts';

/** A model whose answers the test gives, when it likes. */
export interface ScriptedModel extends Model {
  readonly questions: readonly ModelQuestion[];
  /** Answers every question from now on, and those that are open. */
  says(answer: object | ModelAnswer['kind'] | ((question: ModelQuestion) => ModelAnswer)): void;
  /** Lets questions wait from now on. */
  thinks(): void;
  /** Questions that wait for an answer. */
  readonly open: number;
}

export function createScriptedModel(): ScriptedModel {
  const questions: ModelQuestion[] = [];
  const waiting = new Set<(answer: (question: ModelQuestion) => ModelAnswer) => void>();
  let current: ((question: ModelQuestion) => ModelAnswer) | null = null;
  return {
    questions,
    get open() {
      return waiting.size;
    },
    says(answer) {
      current = readAnswer(answer);
      for (const resolve of waiting) resolve(current);
      waiting.clear();
    },
    thinks() {
      current = null;
    },
    ask(question, signal) {
      questions.push(question);
      if (current) return Promise.resolve(current(question));
      return new Promise((resolve) => {
        const answer = (give: (question: ModelQuestion) => ModelAnswer) => resolve(give(question));
        waiting.add(answer);
        signal.addEventListener('abort', () => {
          waiting.delete(answer);
          resolve({ kind: 'failed' });
        });
      });
    },
  };
}

function readAnswer(answer: Parameters<ScriptedModel['says']>[0]): (question: ModelQuestion) => ModelAnswer {
  if (typeof answer === 'function') return answer as (question: ModelQuestion) => ModelAnswer;
  const given = (typeof answer === 'string' ? { kind: answer } : { kind: 'answered', text: JSON.stringify(answer) }) as ModelAnswer;
  return () => given;
}
