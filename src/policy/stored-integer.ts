import type { Json } from './json.ts';

/**
 * A count as the state has it: numbers are cut to integers, texts read as integers, other values count as 0, as in the reference
 * system. Throws on a text that is no integer, because a policy that has lost count must not allow.
 */
export function storedInteger(stored: Json | undefined): number {
  if (typeof stored === 'number') return Math.trunc(stored);
  if (typeof stored !== 'string') return 0;
  if (!/^\s*[+-]?\d+\s*$/.test(stored)) throw new TypeError('The state holds a text where a count was expected.');
  return Number(stored);
}
