import type { Decision, PolicyStep } from '../policy/pass.ts';
import type { Writes } from '../policy/write-ledger.ts';
import type { Json, JsonObject } from '../policy/json.ts';
import type { StateUpdate } from '../policy/verdict.ts';
import type { Digests } from './digest.ts';
import type { Masking } from './masking.ts';
import { visibleMessage } from './visible-text.ts';

export interface MaskedDecision {
  readonly decision: Decision;
  /** Of what is masked in its `data`. */
  readonly dataPaths: readonly string[];
}

/** In what a policy remembers, and in what is to run, a short secret is no word to look for: `low` may be a password. */
export function distinctive(secrets: readonly string[]): readonly string[] {
  return secrets.filter(({ length }) => length >= 8);
}

/** A decision as it may be stored and shown: policies quote what they judge. `secrets`: those of the event. */
export function maskedDecision({ masking, digests }: { masking: Masking; digests: Digests }, decision: Decision, secrets: readonly string[]): MaskedDecision {
  const text = (value: string) => visibleMessage(masking.text(value, secrets));
  const lookedFor = distinctive(secrets);
  const common = { writes: maskedWrites(masking, decision.writes, lookedFor), steps: maskedSteps(decision.steps, text) };
  switch (decision.verdict) {
    case 'ALLOW': {
      const { value: data, paths: dataPaths } = maskedData(masking, decision.data, lookedFor);
      return { decision: { ...decision, ...common, data }, dataPaths };
    }
    case 'DENY':
      return { decision: { ...decision, ...common, reason: text(decision.reason), ...(decision.failure === undefined ? {} : { failure: maskedFailure(decision.failure, text) }) }, dataPaths: [] };
    case 'ASK': {
      const { value: data, paths: dataPaths } = maskedData(masking, decision.data, lookedFor);
      const { checkpoint } = decision;
      // Two that differ in a secret only stay two, else one approval would count for both.
      const kept = checkpoint === null || masking.text(checkpoint, secrets) === checkpoint ? checkpoint : digests.of(checkpoint);
      const requestedSchema = masking.json<JsonObject>(decision.requestedSchema, secrets).value;
      return { decision: { ...decision, ...common, data, message: text(decision.message), checkpoint: kept, requestedSchema }, dataPaths };
    }
    default:
      return decision satisfies never;
  }
}

function maskedData(masking: Masking, data: Json, secrets: readonly string[]): { value: Json; paths: readonly string[] } {
  return data === null ? { value: null, paths: [] } : masking.json<Json>(data, secrets);
}

function maskedSteps(steps: readonly PolicyStep[], text: (value: string) => string): readonly PolicyStep[] {
  return steps.some(({ reason }) => reason !== null) ? steps.map((step) => ({ ...step, reason: step.reason && text(step.reason) })) : steps;
}

function maskedWrites(masking: Masking, writes: Writes, secrets: readonly string[]): Writes {
  const { stateUpdates, labels } = writes;
  if (stateUpdates.length === 0 && Object.keys(labels).length === 0) return writes;
  return {
    stateUpdates: stateUpdates.map((update): StateUpdate => maskedUpdate(masking, update, secrets)),
    labels: masking.labels(labels),
  };
}

/** Numbers stay, whatever their key: they count. */
function maskedUpdate(masking: Masking, update: StateUpdate, secrets: readonly string[]): StateUpdate {
  const key = masking.text(update.key, secrets);
  switch (update.action) {
    case 'set':
    case 'append':
      return { ...update, key, value: masking.json<Json>(update.value, secrets).value };
    case 'increment':
    case 'delete':
      return { ...update, key };
    default:
      return update satisfies never;
  }
}

/** What a policy threw, for the log. */
function maskedFailure(failure: unknown, text: (value: string) => string): unknown {
  if (!(failure instanceof Error)) return typeof failure === 'string' ? text(failure) : 'Something that is no Error was thrown.';
  const masked = new Error(text(failure.message));
  masked.name = failure.name;
  masked.stack = text(failure.stack ?? failure.message);
  return masked;
}
