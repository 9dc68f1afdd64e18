import { readFileSync } from 'node:fs';
import {
  applyStateUpdates,
  builtinRegistry,
  type Handler,
  type Json,
  type JsonObject,
  type Judge,
  type Opinion,
  type PolicyEvent,
  type StateUpdate,
  type Verdict,
} from '../../../src/policy/index.ts';
import { askModel, facts } from './pass.ts';

/** One line of test/vectors/*.jsonl: what the reference system's policy answered, or what a correct gate may answer. */
export interface Vector {
  readonly id: string;
  readonly family?: string;
  readonly policy: string;
  readonly params: JsonObject;
  readonly event: VectorEvent | null;
  readonly session_state?: JsonObject;
  readonly steps?: readonly { readonly event: VectorEvent; readonly approve?: boolean }[];
  readonly expect: Expected & { readonly build_error?: true; readonly steps?: readonly Expected[]; readonly accept?: readonly (Verdict | null)[] };
  readonly why?: string;
  readonly tags?: readonly string[];
}

interface Expected {
  readonly result?: Verdict | null;
  readonly state_updates?: readonly StateUpdate[];
  readonly data?: Json;
  readonly error?: true;
}

type VectorEvent = PolicyEvent & { readonly context?: { readonly labels?: Record<string, string>; readonly model?: string } };

export interface Answer {
  readonly verdict: Verdict;
  readonly stateUpdates: readonly StateUpdate[];
  readonly data: Json;
}

export function readVectors(file: string): readonly Vector[] {
  const lines = readFileSync(new URL(`../../vectors/${file}`, import.meta.url), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Vector);
}

export function handlerOf({ policy, family = 'safety' }: Vector): Handler {
  const name = `${family}.${policy}`;
  const handler = builtinRegistry().find(name);
  if (!handler) throw new Error(`No handler ${name}.`);
  return handler;
}

/** An abstention is an ALLOW, a throw a DENY without writes, as the engine composes them. */
export function answer(judge: Judge, event: VectorEvent, state: JsonObject): Answer {
  const { context, ...plain } = event;
  let opinion: Opinion;
  try {
    opinion = judge({ event: plain, facts: facts({ state, labels: context?.labels ?? {}, model: context?.model ?? null }), askModel });
  } catch {
    return { verdict: 'DENY', stateUpdates: [], data: null };
  }
  if (opinion.kind === 'abstain') return { verdict: 'ALLOW', stateUpdates: [], data: null };
  const data = opinion.kind === 'deny' ? null : (opinion.data ?? null);
  return { verdict: verdictOf[opinion.kind], stateUpdates: opinion.stateUpdates ?? [], data };
}

/** The state after one step of a sequence: an ask writes only when it is approved. */
export function stateAfter(state: JsonObject, { verdict, stateUpdates }: Answer, approve = false): JsonObject {
  return verdict === 'ASK' && !approve ? state : applyStateUpdates(state, stateUpdates);
}

export function expectedAnswer(expected: Expected): Answer {
  return { verdict: expected.result ?? 'ALLOW', stateUpdates: expected.state_updates ?? [], data: expected.data ?? null };
}

const verdictOf = { allow: 'ALLOW', deny: 'DENY', ask: 'ASK' } as const;
