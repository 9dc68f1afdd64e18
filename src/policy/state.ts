import { isJsonList, type Json, type JsonObject } from './json.ts';
import type { StateUpdate } from './verdict.ts';

/**
 * The state after `updates`, in order, as a new object; `state` stays as it is. Keys are data, `__proto__` and
 * `constructor` included. Throws StateTypeError where an update does not fit what is stored; then nothing counts.
 */
export function applyStateUpdates(state: JsonObject, updates: readonly StateUpdate[]): JsonObject {
  const draft = new StateDraft(state);
  for (const update of updates) draft.apply(update);
  return draft.finish();
}

/** An update does not fit the stored value, e.g. an increment of a text. */
export class StateTypeError extends TypeError {
  override readonly name = 'StateTypeError';
}

/** A state in the making: what the updates so far change, over an untouched base. */
export class StateDraft {
  readonly #base: JsonObject;
  /** Key → its new value; undefined: deleted. */
  readonly #changes = new Map<string, Json | undefined>();

  constructor(base: JsonObject) {
    this.#base = base;
  }

  apply(update: StateUpdate): void {
    switch (update.action) {
      case 'set':
        this.#changes.set(update.key, update.value);
        return;
      case 'increment':
        this.#changes.set(update.key, this.#sum(update.key, update.value));
        return;
      case 'append':
        this.#changes.set(update.key, this.#extended(update.key, update.value));
        return;
      case 'delete':
        this.#changes.set(update.key, undefined);
        return;
      default:
        update satisfies never;
        throw new StateTypeError('Unknown action of a state update.');
    }
  }

  finish(): JsonObject {
    const members = new Map<string, Json>(Object.entries(this.#base));
    for (const [key, value] of this.#changes) {
      if (value === undefined) members.delete(key);
      else members.set(key, value);
    }
    return Object.fromEntries(members);
  }

  #read(key: string, whenAbsent: Json): Json {
    const own = Object.hasOwn(this.#base, key) ? this.#base[key] : undefined;
    const value = this.#changes.has(key) ? this.#changes.get(key) : own;
    return value === undefined ? whenAbsent : value;
  }

  #sum(key: string, addend: number): number {
    const stored = this.#read(key, 0);
    if (typeof stored !== 'number') throw new StateTypeError(`State "${key}" is no number and cannot be incremented.`);
    if (typeof addend !== 'number') throw new StateTypeError(`State "${key}" can only be incremented by a number.`);
    const sum = stored + addend;
    if (!Number.isFinite(sum)) throw new StateTypeError(`State "${key}" would leave the range of numbers.`);
    return sum;
  }

  #extended(key: string, item: Json): readonly Json[] {
    const stored = this.#read(key, []) ?? [];
    if (!isJsonList(stored)) throw new StateTypeError(`State "${key}" is no list and cannot be appended to.`);
    return [...stored, item];
  }
}
