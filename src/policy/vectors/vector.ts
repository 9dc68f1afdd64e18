import type { PolicyEvent } from '../event.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ModelAnswer } from '../model-question.ts';
import type { Verdict } from '../verdict.ts';

/** One line of a vector file: what a handler with these params is to answer. */
export interface Vector {
  readonly kind: 'vector';
  readonly id: string;
  /** Names to look the handler up by, the likeliest first. */
  readonly handlers: readonly string[];
  readonly params: JsonObject;
  /** The session's state at the start. */
  readonly state: JsonObject;
  readonly trial: Trial;
}

/** Why a line is no vector. */
export interface VectorProblem {
  readonly kind: 'problem';
  /** Null where the line has none. */
  readonly id: string | null;
  readonly message: string;
}

export type Trial =
  /** The params must be refused. */
  | { readonly kind: 'build' }
  | { readonly kind: 'event'; readonly event: VectorEvent; readonly model: ModelAnswer; readonly wanted: Wanted }
  /** In order, the state carried along. */
  | { readonly kind: 'steps'; readonly steps: readonly Step[] };

export type Step =
  /** `approve`: whether an ask's writes are applied. */
  | { readonly kind: 'event'; readonly event: VectorEvent; readonly model: ModelAnswer; readonly approve: boolean; readonly wanted: Wanted }
  /** A new turn begins: what counts per turn starts anew. */
  | { readonly kind: 'resetTurn' };

/** As the line has it: vectors hold malformed events on purpose. `context` becomes facts. */
export interface VectorEvent {
  readonly event: PolicyEvent;
  readonly context: Json;
}

export type Wanted =
  | {
      readonly kind: 'answer';
      readonly verdict: Verdict;
      /** Null: the judge throws, and so denies; what it would have written does not matter. */
      readonly stateUpdates: readonly Json[] | null;
      readonly data: Json;
      /** Whether the model is asked; null where that does not matter. */
      readonly modelAsked: boolean | null;
    }
  /** Any of these. */
  | { readonly kind: 'accept'; readonly verdicts: readonly Verdict[] };
