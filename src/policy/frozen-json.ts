import type { Json } from './json.ts';

/** Deeper values are refused: nobody means them, and recursion must stay within the stack. */
const depthMax = 256;

/**
 * A frozen copy of what a handler returned, or a TypeError when it is no JSON. A copy, because the handler may keep and
 * change what it returned, and because a getter must not answer differently the second time. Members that are undefined
 * are left out, as in JSON.stringify.
 */
export function frozenCopy(value: unknown, depth = 0): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw new TypeError(`${typeof value === 'number' ? String(value) : `A ${typeof value}`} is not JSON.`);
  if (depth >= depthMax) throw new TypeError(`The value is nested deeper than ${depthMax} levels.`);
  if (Array.isArray(value)) return Object.freeze(Array.from(value, (item) => frozenCopy(item, depth + 1)));
  if (!isPlainObject(value)) throw new TypeError('Only plain objects are JSON.');
  const members: [string, Json][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push([key, frozenCopy(member, depth + 1)]);
  }
  // fromEntries defines properties, so a key `__proto__` stays data.
  return Object.freeze(Object.fromEntries(members));
}

/** Freezes JSON through and through, in place. Without recursion: the depth of an event is its sender's choice. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const pending: object[] = [value];
  for (let next = pending.pop(); next; next = pending.pop()) {
    Object.freeze(next);
    for (const key in next) {
      const member: unknown = next[key as keyof typeof next];
      if (typeof member === 'object' && member !== null) pending.push(member);
    }
  }
  return value;
}

/** Also true for plain objects of another realm, whose `Object.prototype` is not ours. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
