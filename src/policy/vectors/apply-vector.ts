import type { Handler } from '../handler.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Registry } from '../registry.ts';
import { turnKeyPrefix } from '../turn-key.ts';
import { judgeVectorEvent, stateAfter, type Given } from './judge-vector-event.ts';
import { isSameJson } from './same-json.ts';
import type { Step, Vector, VectorEvent, Wanted } from './vector.ts';

/** Builds the vector's handler, lets it judge and compares. Pure; a handler that is not in the registry fails the vector. */
export function applyVector(vector: Vector, registry: Registry): VectorOutcome {
  const { id, trial, params, state } = vector;
  const handler = handlerOf(vector, registry);
  if (!handler) return { id, passed: false, wanted: { handler: vector.handlers[0] ?? '' }, got: { problem: 'There is no such handler.' }, reason: null };
  const built = handler.build(params);
  if (trial.kind === 'build') {
    const isRefused = built.kind === 'invalidParams';
    return { id, passed: isRefused, wanted: { build_error: true }, got: { build_error: isRefused }, reason: null };
  }
  if (built.kind === 'invalidParams') {
    const issues = built.issues.map(({ path, message }) => [...path, message].join(': '));
    return { id, passed: false, wanted: wantedOf(trial), got: { build_error: true, issues }, reason: null };
  }
  const { judge } = built;
  const fingerprints = new Map<string, string>();
  if (trial.kind === 'event') {
    const given = judgeVectorEvent({ handler, judge, state }, trial.event, trial.model);
    return { id, passed: isAsWanted(trial.wanted, given, fingerprints), wanted: wantedOf(trial), got: shown(given), reason: given.reason };
  }
  const played = trial.steps.reduce<Played>((sofar, step) => play(sofar, { step, handler, judge, fingerprints }), { state, passed: true, got: [], reason: null });
  return { id, passed: played.passed, wanted: wantedOf(trial), got: { steps: played.got }, reason: played.reason };
}

export interface VectorOutcome {
  readonly id: string;
  readonly passed: boolean;
  /** In the spelling of `expect`. */
  readonly wanted: JsonObject;
  readonly got: JsonObject;
  /** Why the policy denied or asked, in its own words; of steps: at the first that did not pass. */
  readonly reason: string | null;
}

function handlerOf({ handlers }: Vector, registry: Registry): Handler | null {
  return handlers.map((name) => registry.find(name)).find((found) => found !== null) ?? null;
}

interface Played {
  readonly state: JsonObject;
  readonly passed: boolean;
  readonly got: readonly Json[];
  readonly reason: string | null;
}

type Playing = { readonly step: Step; readonly fingerprints: Map<string, string> } & Omit<Parameters<typeof judgeVectorEvent>[0], 'state'>;

function play({ state, passed, got, reason: firstReason }: Played, { step, handler, judge, fingerprints }: Playing): Played {
  const isTurn = step.kind === 'resetTurn';
  const given = judgeVectorEvent({ handler, judge, state }, isTurn ? turnStart : step.event, isTurn ? notConfigured : step.model);
  const fits = isTurn || isAsWanted(step.wanted, given, fingerprints);
  const reason = passed && !fits ? given.reason : firstReason;
  try {
    return { state: stateAfter(state, given, !isTurn && step.approve), passed: passed && fits, got: [...got, isTurn ? null : shown(given)], reason };
  } catch {
    return { state, passed: false, got: [...got, { ...shown(given), problem: 'The writes do not fit the state.' }], reason };
  }
}

/** With us a turn begins with what the person writes. */
const turnStart: VectorEvent = { event: { type: 'request', target: null, data: { user_content: '', attachments: [] } }, context: null };

const notConfigured = { kind: 'notConfigured' } as const;

function isAsWanted(wanted: Wanted, given: Given, fingerprints: Map<string, string>): boolean {
  if (wanted.kind === 'accept') return wanted.verdicts.includes(given.verdict);
  if (wanted.verdict !== given.verdict) return false;
  if (wanted.modelAsked !== null && wanted.modelAsked !== given.modelAsked) return false;
  return wanted.stateUpdates === null || (isSameJson(wanted.stateUpdates, writes(given), fingerprints) && isSameJson(wanted.data, given.data));
}

/** Without what counts per turn: the reference system keeps that in the evaluator, so no vector speaks of it. */
function writes({ stateUpdates }: Given): readonly JsonObject[] {
  return stateUpdates.filter(({ key }) => !key.startsWith(turnKeyPrefix)).map((update) => ({ ...update }));
}

function shown(given: Given): JsonObject {
  const stateUpdates = writes(given);
  return {
    result: given.verdict,
    ...(stateUpdates.length > 0 ? { state_updates: stateUpdates } : {}),
    ...(given.data === null ? {} : { data: given.data }),
    ...(given.modelAsked ? { llm_called: true } : {}),
    ...(given.failure === null ? {} : { error: given.failure }),
  };
}

function wantedOf(trial: Exclude<Vector['trial'], { kind: 'build' }>): JsonObject {
  if (trial.kind === 'event') return wantedAnswer(trial.wanted);
  return { steps: trial.steps.map((step) => (step.kind === 'resetTurn' ? null : wantedAnswer(step.wanted))) };
}

function wantedAnswer(wanted: Wanted): JsonObject {
  if (wanted.kind === 'accept') return { accept: wanted.verdicts };
  const { verdict, stateUpdates, data, modelAsked } = wanted;
  return {
    result: verdict,
    ...(stateUpdates === null ? { error: true } : stateUpdates.length > 0 ? { state_updates: stateUpdates } : {}),
    ...(data === null ? {} : { data }),
    ...(modelAsked === null ? {} : { llm_called: modelAsked }),
  };
}
