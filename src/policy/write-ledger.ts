import type { JsonObject } from './json.ts';
import { StateDraft } from './state.ts';
import type { StateUpdate } from './verdict.ts';

/** What the policies want written, merged over a pass. */
export interface Writes {
  /** In order. */
  readonly stateUpdates: readonly StateUpdate[];
  readonly labels: Readonly<Record<string, string>>;
}

export const noWrites: Writes = Object.freeze({ stateUpdates: Object.freeze([]), labels: Object.freeze({}) });

/** What one policy wants written; `labels` are already those that it may write. */
export interface Entry {
  readonly by: 'allow' | 'ask' | 'deny';
  readonly stateUpdates: readonly StateUpdate[];
  readonly labels: readonly (readonly [key: string, value: string])[];
}

/** Collects a pass's writes and checks each against the state as it would then be. */
export class WriteLedger {
  readonly #entries: Entry[] = [];
  readonly #state: JsonObject;
  #drafts: { readonly withAsks: StateDraft; readonly withoutAsks: StateDraft } | null = null;

  constructor(state: JsonObject) {
    this.#state = state;
  }

  /**
   * Throws StateTypeError when an update does not fit. An allowing policy's updates must fit with and without those of
   * the policies that asked before it, since a later denial drops the askers'.
   */
  add(entry: Entry): void {
    if (entry.stateUpdates.length > 0) {
      this.#drafts ??= { withAsks: new StateDraft(this.#state), withoutAsks: new StateDraft(this.#state) };
      for (const update of entry.stateUpdates) {
        if (entry.by !== 'deny') this.#drafts.withAsks.apply(update);
        if (entry.by !== 'ask') this.#drafts.withoutAsks.apply(update);
      }
    }
    if (entry.stateUpdates.length > 0 || entry.labels.length > 0) this.#entries.push(entry);
  }

  all(): Writes {
    return merge(this.#entries);
  }

  /** Those of the policies that allowed, and the denier's. */
  withoutAsks(): Writes {
    return merge(this.#entries.filter((entry) => entry.by !== 'ask'));
  }
}

/** Of a label that several policies write, the last value counts. */
function merge(entries: readonly Entry[]): Writes {
  if (entries.length === 0) return noWrites;
  return {
    stateUpdates: entries.flatMap((entry) => entry.stateUpdates),
    labels: Object.fromEntries(entries.flatMap((entry) => entry.labels)),
  };
}
