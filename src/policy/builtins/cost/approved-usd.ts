import type { Json } from '../../json.ts';
import { readUsd } from './usd.ts';

/**
 * The highest approved checkpoint as the state has it: a number, or a text that writes one; other values are no approval. Throws on any
 * other text, as in the reference system: whoever wrote it, it is not known what was approved.
 */
export function storedApprovalUsd(stored: Json | undefined): number {
  const usd = readUsd(stored);
  if (usd !== null && Number.isFinite(usd)) return usd;
  if (typeof stored === 'string') throw new TypeError('The state holds a text where an approved cost was expected.');
  return 0;
}
