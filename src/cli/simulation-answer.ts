import { decidingPoliciesOf } from '../policy/deciding-policies-of.ts';
import type { Decision, PolicyStep } from '../policy/pass.ts';
import type { Json } from '../policy/json.ts';
import { reasonOf } from '../policy/reason-of.ts';
import type { StateUpdate, Verdict } from '../policy/verdict.ts';
import { printable } from './printable.ts';

/** The fields of the API's EvaluationPreview, and what only the policy's author is to see. */
export function simulationAnswer(decision: Decision, isModelAsked: boolean): SimulationAnswer {
  const { verdict, steps, writes } = decision;
  return {
    verdict,
    reason: reasonOf(decision),
    decidingPolicies: decidingPoliciesOf(decision),
    data: decision.verdict === 'DENY' ? null : decision.data,
    stateUpdates: writes.stateUpdates,
    labelWrites: writes.labels,
    steps,
    llmAsked: isModelAsked,
    failure: failureOf(decision),
  };
}

export interface SimulationAnswer {
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly decidingPolicies: readonly string[];
  readonly data: Json;
  readonly stateUpdates: readonly StateUpdate[];
  readonly labelWrites: Readonly<Record<string, string>>;
  readonly steps: readonly PolicyStep[];
  readonly llmAsked: boolean;
  /** What the handler threw; null: nothing. */
  readonly failure: string | null;
}

export function simulationInWords({ verdict, reason, data, stateUpdates, labelWrites, steps, llmAsked, failure }: SimulationAnswer): string {
  const writes = [...stateUpdates.map(updateInWords), ...Object.entries(labelWrites).map(([key, value]) => `label ${key}: ${JSON.stringify(value)}`)];
  const rows = [
    row('verdict', verdict),
    ...(reason === null ? [] : [row('reason', reason)]),
    ...(failure === null ? [] : [row('failure', failure)]),
    ...(data === null ? [] : [row('data', JSON.stringify(data))]),
    ...(writes.length === 0 ? [row('writes', 'none')] : writes.map((write) => row(verdict === 'ASK' ? 'on accept' : 'writes', write))),
    ...(llmAsked ? [row('model', 'asked')] : []),
    ...steps.map(({ policy, outcome, reason: why, durationMicroseconds }) => row('step', `${policy} ${outcome} (${durationMicroseconds} µs)${why === null ? '' : `: ${why}`}`)),
  ];
  return rows.join('\n');
}

function row(head: string, text: string): string {
  return `${head.padEnd(10)}${printable(text)}`;
}

function updateInWords(update: StateUpdate): string {
  const { key, action } = update;
  return `state ${key}: ${action}${'value' in update ? ` ${JSON.stringify(update.value)}` : ''}`;
}

function failureOf(decision: Decision): string | null {
  if (decision.verdict !== 'DENY' || decision.failure === undefined) return null;
  return decision.failure instanceof Error ? decision.failure.message : JSON.stringify(decision.failure);
}
