import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { Json } from '../policy/json.ts';
import type { Call } from './call.ts';
import type { Gate } from './gate.ts';
import { ofEvent } from './masked-paths.ts';
import { conflict, type Conflict } from './outcome.ts';
import { unmasked } from './unmasked.ts';

/** The evaluation for whoever made the call: what it is to run with is the real thing. Never an ALLOW with masked data. */
export function unmaskedAnswer(gate: Gate, evaluation: Evaluation, { event, masked }: Pick<Call, 'event' | 'masked'>): { kind: 'evaluated'; evaluation: Evaluation } | Conflict {
  if (evaluation.verdict !== 'ALLOW' || evaluation.dataDigest === null) return { kind: 'evaluated', evaluation };
  const data = dataOf(gate, evaluation, { event: masked.value.data as Json, original: event.data as Json }); // JSON, which interfaces do not say
  if (data === undefined) {
    return conflict('The call is allowed with other arguments than it came with, and they hold secrets that the server keeps in memory only and has no more. Call again with another idempotency key.');
  }
  return { kind: 'evaluated', evaluation: { ...evaluation, data, dataDigest: null, maskedPaths: ofEvent(evaluation.maskedPaths) } };
}

/** From memory, else put together from the caller's own event. Only what has the digest counts. */
function dataOf({ originals, digests }: Gate, { id, data, dataDigest }: Evaluation, known: { event: Json; original: Json }): Json | undefined {
  const restored = unmasked(data ?? null, { masked: known.event, original: known.original });
  const candidates = [originals.find(id)?.data, restored.kind === 'unmasked' ? restored.value : undefined];
  return candidates.find((candidate) => candidate != null && digests.of(candidate) === dataDigest);
}
