import type { Elicitation } from '../entities/elicitation.entity.ts';
import type { ElicitationId } from '../entities/id.ts';
import type { Session } from '../entities/session.entity.ts';
import type { Happening, Resync } from './events.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { KnownElicitations } from './known-elicitations.ts';
import { notFound, type NotFound } from './outcome.ts';
import { allPendingElicitations, pendingElicitations } from './pending-elicitations.ts';
import { seesSession } from './visible.ts';

export interface Watch {
  readonly kind: 'elicitationRequested' | 'elicitationResolved';
  /** Null: all that the caller may see. */
  readonly sessionId: string | null;
  readonly includeDescendants: boolean;
  readonly signal: AbortSignal;
  /** Waited for before each row is read: many watchers of one caller must not keep others waiting. Omitted: nothing is. */
  readonly turn?: () => Promise<void>;
}

/**
 * Requested: the pending elicitations first, then each new one; none missed, none twice. Resolved: each from now on.
 * Resolves once the watch is live. A fresh gate reads each row. Where events were lost, the rows say what to show.
 */
export async function watchElicitations(openGate: () => Gate, watch: Watch): Promise<{ kind: 'watching'; elicitations: AsyncIterable<Elicitation> } | NotFound> {
  const gate = openGate();
  const session = watch.sessionId === null ? null : await find.session(gate, watch.sessionId);
  if (watch.sessionId !== null && !session) return notFound('session', watch.sessionId);
  const happenings = await gate.events.subscribe(session ? `session:${session.id}` : 'inbox', watch.signal); // live before the snapshot: no gap
  const snapshot = await pendingNow(gate, session, watch.includeDescendants);
  return { kind: 'watching', elicitations: follow(openGate, { watch, session, snapshot, happenings }) };
}

async function pendingNow(gate: Gate, session: Session | null, includeDescendants: boolean): Promise<ElicitationId[]> {
  const pending = session ? await pendingElicitations(gate, session, { includeDescendants }) : await allPendingElicitations(gate);
  return pending.map(({ id }) => id);
}

interface Live {
  readonly watch: Watch;
  readonly session: Session | null;
  readonly snapshot: readonly ElicitationId[];
  readonly happenings: AsyncIterable<Happening | Resync>;
}

async function* follow(openGate: () => Gate, { watch, session, snapshot, happenings }: Live): AsyncGenerator<Elicitation> {
  const known = new KnownElicitations(snapshot);
  async function* show(ids: readonly ElicitationId[]): AsyncGenerator<Elicitation> {
    for (const id of ids) {
      await watch.turn?.();
      yield* read(openGate(), id);
    }
  }
  if (watch.kind === 'elicitationRequested') yield* show(snapshot);
  for await (const happening of happenings) {
    if (happening.kind === 'evaluationDecided') continue;
    if (happening.kind === 'resync') {
      await watch.turn?.();
      const { requested, resolved } = known.compare(await pendingNow(openGate(), session, watch.includeDescendants));
      yield* show(watch.kind === 'elicitationRequested' ? requested : resolved);
      continue;
    }
    const { kind, elicitationId: id, sessionId } = happening;
    if (!watch.includeDescendants && watch.sessionId !== null && sessionId !== watch.sessionId) continue;
    const isNew = kind === 'elicitationRequested' ? known.request(id) : known.resolve(id);
    if (kind !== watch.kind || !isNew) continue;
    const gate = openGate();
    const view = gate.views.peek(sessionId); // of the session that has just asked: nothing is read for those who do not see it
    if (view && !seesSession(gate.access, view)) continue;
    await watch.turn?.();
    yield* read(gate, id);
  }
}

/** As it is when its turn comes: a slow watcher must not be shown as pending what was decided meanwhile. */
async function* read(gate: Gate, id: ElicitationId): AsyncGenerator<Elicitation> {
  const elicitation = await find.elicitation(gate, id);
  if (elicitation) yield elicitation;
}
