import type { SessionId } from '../entities/id.ts';
import { phaseOf, type PolicyEvent } from '../policy/event.ts';
import type { Gate } from './gate.ts';
import { lookUp, nothingLookedUp, type LookedUp } from './look-up.ts';
import type { SessionView } from './session-view.ts';

/** All that an event is judged on. */
export interface Ready {
  readonly view: SessionView;
  readonly lookedUp: LookedUp;
}

/**
 * The session as it is now, and what must be looked up for its policies to judge the event; nothing is read where the view is cached and
 * they need no more. Judge at once: the view moves on. Null: there is no such session.
 */
export async function ready(gate: Gate, sessionId: SessionId, event: PolicyEvent): Promise<Ready | null> {
  for (;;) {
    const cached = gate.views.peek(sessionId);
    gate.instruments.viewFound(cached ? 'memory' : 'database');
    const view = cached ?? (await gate.views.load(sessionId, gate.em));
    if (!view) return null;
    const phase = phaseOf(event);
    if (view.lookUps[phase].length === 0) return { view, lookedUp: nothingLookedUp };
    const lookedUp = await lookUp(gate, view, phase);
    if (gate.views.peek(sessionId) === view) return { view, lookedUp };
  }
}
