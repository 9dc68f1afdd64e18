import { phaseOf, phases, type Phase } from '../event.ts';
import { freezeDeep } from '../frozen-json.ts';
import type { Handler, Judge } from '../handler.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ModelAnswer } from '../model-question.ts';
import { readOpinion } from '../opinion.ts';
import { replaceData } from '../replacement.ts';
import { applyStateUpdates } from '../state.ts';
import type { Opinion, StateUpdate, Verdict } from '../verdict.ts';
import { factsOfContext } from './facts-of-context.ts';
import type { VectorEvent } from './vector.ts';

/** What a handler's judge answers to one event, as the engine reads it: an abstention allows, a throw denies and writes nothing. */
export function judgeVectorEvent({ handler, judge, state }: Trying, { event, context }: VectorEvent, model: ModelAnswer): Given {
  let modelAsked = false;
  const askModel = (): ModelAnswer => {
    modelAsked = true;
    return model;
  };
  try {
    if (!judgesPhase(handler, phaseOf(event))) return { verdict: 'ALLOW', reason: null, stateUpdates: [], data: null, modelAsked, failure: null };
    const facts = freezeDeep(factsOfContext(context, state));
    const opinion = readOpinion(judge(Object.freeze({ event: freezeDeep(event), facts, askModel })));
    const data = dataOf(opinion);
    if (data !== null) replaceData(event, data);
    const stateUpdates = opinion.kind === 'abstain' ? [] : (opinion.stateUpdates ?? []);
    return { verdict: verdictOf[opinion.kind], reason: 'reason' in opinion ? opinion.reason : null, stateUpdates, data, modelAsked, failure: null };
  } catch (thrown) {
    return { verdict: 'DENY', reason: null, stateUpdates: [], data: null, modelAsked, failure: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** An event of a type that is none of ours goes before those that judge all: vectors hold such on purpose. */
function judgesPhase(handler: Handler, phase: Phase | undefined): boolean {
  return phase === undefined ? handler.phases.length === phases.length : handler.phases.includes(phase);
}

/** The state after it: an ask writes only when a person approves. */
export function stateAfter(state: JsonObject, { verdict, stateUpdates }: Given, approve: boolean): JsonObject {
  return verdict === 'ASK' && !approve ? state : applyStateUpdates(state, stateUpdates);
}

/** A policy under test, and the state that it finds. */
export interface Trying {
  readonly handler: Handler;
  readonly judge: Judge;
  readonly state: JsonObject;
}

export interface Given {
  readonly verdict: Verdict;
  /** Why it denies or asks, in the policy's words; null where it does neither, or threw. */
  readonly reason: string | null;
  readonly stateUpdates: readonly StateUpdate[];
  readonly data: Json;
  readonly modelAsked: boolean;
  /** What the judge threw; null: nothing. */
  readonly failure: string | null;
}

const verdictOf = { abstain: 'ALLOW', allow: 'ALLOW', deny: 'DENY', ask: 'ASK' } as const;

function dataOf(opinion: Opinion): Json {
  return opinion.kind === 'allow' || opinion.kind === 'ask' ? (opinion.data ?? null) : null;
}
