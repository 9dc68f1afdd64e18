import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { Json } from '../policy/json.ts';
import type { Gate } from './gate.ts';
import { distinctive } from './masked-decision.ts';
import { below, joined, ofEvent } from './masked-paths.ts';

/** What a call is to run with instead of what it came with. */
export interface Rewritten {
  readonly data: Json;
  /** How it is stored. */
  readonly row: Pick<Evaluation, 'data' | 'dataDigest' | 'maskedPaths'>;
}

/** Of an evaluation that is still to be decided. `data` null: nothing is rewritten. */
export function rewritten({ masking, digests, originals }: Gate, { id, maskedPaths }: Evaluation, data: Json): Rewritten {
  const known = originals.find(id);
  const secrets = known?.event ? distinctive(masking.event(known.event).secrets) : [];
  const { value, paths } = data === null ? { value: null, paths: [] } : masking.json<Json>(data, secrets);
  const row = { data: value, dataDigest: paths.length > 0 ? digests.of(data) : null, maskedPaths: joined(ofEvent(maskedPaths), below('/data', paths)) };
  return { data, row };
}

/** Before it is committed: whoever waits may look at once. */
export function keepRewritten({ originals }: Gate, evaluation: Evaluation, { data, row }: Rewritten): void {
  const original = originals.find(evaluation.id)?.event ?? (evaluation.digest === null ? evaluation.event : null);
  originals.keep({ ...evaluation, ...row }, { event: original, data });
}
