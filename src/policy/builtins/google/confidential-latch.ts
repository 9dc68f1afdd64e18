import { isJsonList, isJsonObject, type JsonObject } from '../../json.ts';

/** The reference's key. Set by the Drive policy, and heeded by those of Gmail and Calendar: what was read must not leave by mail either. */
export const confidentialLatchKey = 'gdrive_read_confidential';

/** Empty values count as not set, as in the reference. */
export function hasReadConfidential(state: JsonObject): boolean {
  const latch = Object.hasOwn(state, confidentialLatchKey) ? state[confidentialLatchKey] : null;
  if (isJsonList(latch)) return latch.length > 0;
  return isJsonObject(latch) ? Object.keys(latch).length > 0 : Boolean(latch);
}
