import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { Phase } from '../policy/event.ts';

/** The parts of an evaluation that are timed one by one. */
export type Step = 'read' | 'judge' | 'commit' | 'wait';

/** What the gate tells of its work. The port of metrics and traces: never throws, and costs next to nothing, for every event comes by. */
export interface Instruments {
  /** A call has begun to be judged. */
  evaluating(phase: Phase): Measured;
  /** One transaction with the entries of that many evaluations has ended. */
  committed(batch: { readonly entries: number; readonly seconds: number; readonly isDone: boolean }): void;
  /** What a verdict needs of a session was looked for: in memory, or in the database. */
  viewFound(where: 'memory' | 'database'): void;
}

/** One call, from its beginning to its answer. */
export interface Measured {
  /** Does the work, and times it. A promise is timed to its end. */
  step<T>(step: Step, work: () => T): T;
  /** The verdict is stored; an ASK begins to wait. */
  stored(evaluation: Pick<Evaluation, 'id' | 'verdict'>): void;
  /** The call is answered with an evaluation, with a refusal (null), or has failed. */
  ended(answer: Pick<Evaluation, 'verdict' | 'decidedBy'> | null | 'failed'): void;
}

/** Who is told what the gate does, one after the other. */
export function tellAll(several: readonly Instruments[]): Instruments {
  const [only] = several;
  if (only && several.length === 1) return only;
  return {
    evaluating(phase) {
      const all = several.map((one) => one.evaluating(phase));
      return {
        step: (step, work) => all.reduce((inner, one) => () => one.step(step, inner), work)(),
        stored(evaluation) {
          for (const one of all) one.stored(evaluation);
        },
        ended(answer) {
          for (const one of all) one.ended(answer);
        },
      };
    },
    committed(batch) {
      for (const one of several) one.committed(batch);
    },
    viewFound(where) {
      for (const one of several) one.viewFound(where);
    },
  };
}
