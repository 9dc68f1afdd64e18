import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { GivenFacts } from '../policy/handler.ts';
import type { JsonObject } from '../policy/json.ts';
import type { LookedUp } from './look-up.ts';
import type { SessionView } from './session-view.ts';

/** What the caller runs with now; null: as the session says. */
export interface Caller {
  readonly model: string | null;
  readonly harness: string | null;
}

/** What the caller of a stored evaluation ran with. */
export function callerOf({ model, harness }: Pick<Evaluation, 'model' | 'harness'>): Caller {
  return { model: model ?? null, harness: harness ?? null };
}

/** The facts of one pass, as they are at its start. */
export function gatherFacts(view: SessionView, { caller, lookedUp }: { caller: Caller; lookedUp: LookedUp }): GivenFacts {
  return {
    state: stateSeen(view),
    labels: view.labels,
    model: caller.model ?? view.model,
    harness: caller.harness ?? view.harness,
    actor: { run_as: view.owner.id },
    ...lookedUp,
  };
}

/** The session's own state, with what counts in its whole tree. */
function stateSeen({ state, treeState }: SessionView): JsonObject {
  return Object.keys(treeState).length === 0 ? state : { ...state, ...treeState };
}
