import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import type { SessionId } from '../entities/id.ts';
import { readRow } from '../entities/rows.ts';
import { SessionSchema, subtreeOf, type Session } from '../entities/session.entity.ts';
import type { Happening, Resync } from './events.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { KnownElicitations } from './known-elicitations.ts';
import { notFound, type NotFound } from './outcome.ts';
import { whatIsPending, type Pending } from './pending-elicitations.ts';
import { headOf } from './session-event-rows.ts';
import { ToldEnds } from './told-ends.ts';
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
 * Requested: the pending elicitations first, then each new one. Resolved: each from now on. None missed, none twice: where events were lost, the rows
 * say what to show. Resolves once the watch is live. A fresh gate reads each row.
 */
export async function watchElicitations(openGate: () => Gate, watch: Watch): Promise<{ kind: 'watching'; elicitations: AsyncIterable<Elicitation> } | NotFound> {
  const gate = openGate();
  const session = watch.sessionId === null ? null : await find.session(gate, watch.sessionId);
  if (watch.sessionId !== null && !session) return notFound('session', watch.sessionId);
  const happenings = await gate.events.subscribe(session ? `session:${session.id}` : 'inbox', watch.signal); // live before the rows are looked at: no gap
  const live = { watch, session, happenings };
  if (watch.kind === 'elicitationRequested') return { kind: 'watching', elicitations: followRequests(openGate, live, await whatIsPending(gate, session, watch)) };
  return { kind: 'watching', elicitations: followEnds(openGate, live, new ToldEnds(await headOf(gate))) };
}

interface Live {
  readonly watch: Watch;
  readonly session: Session | null;
  readonly happenings: AsyncIterable<Happening | Resync>;
}

async function* followRequests(openGate: () => Gate, live: Live, snapshot: readonly Pending[]): AsyncGenerator<Elicitation> {
  const known = new KnownElicitations(snapshot);
  yield* showAll(openGate, live, snapshot);
  for await (const happening of live.happenings) {
    if (happening.kind === 'resync') {
      await live.watch.turn?.();
      yield* showAll(openGate, live, known.compare(await whatIsPending(openGate(), live.session, live.watch)));
    } else if (happening.kind === 'elicitationResolved') {
      known.resolve(happening.elicitationId);
    } else if (happening.kind === 'elicitationRequested' && concerns(live, happening) && known.request(happening.elicitationId)) {
      yield* show(openGate, live, pendingOf(happening));
    }
  }
}

async function* followEnds(openGate: () => Gate, live: Live, told: ToldEnds): AsyncGenerator<Elicitation> {
  for await (const happening of live.happenings) {
    if (happening.kind === 'elicitationResolved' && concerns(live, happening) && told.hear(happening.elicitationId)) yield* show(openGate, live, pendingOf(happening));
    if (happening.kind !== 'resync' && !told.isFull) continue;
    await live.watch.turn?.();
    for await (const { id, sessionId } of told.missed(openGate)) if (concerns(live, { sessionId }) && (await isBelow(openGate(), live, sessionId))) yield* show(openGate, live, { id, session: sessionId });
  }
}

function pendingOf({ elicitationId, sessionId }: Extract<Happening, { elicitationId: unknown }>): Pending {
  return { id: elicitationId, session: sessionId };
}

function concerns({ watch }: Live, { sessionId }: { readonly sessionId: SessionId }): boolean {
  return watch.includeDescendants || watch.sessionId === null || sessionId === watch.sessionId;
}

/** Of what was not heard on the topic of the session. */
async function isBelow(gate: Gate, { session }: Live, id: SessionId): Promise<boolean> {
  return session === null || (await gate.em.count(SessionSchema, { id, path: subtreeOf(session) })) > 0;
}

async function* showAll(openGate: () => Gate, live: Live, those: readonly Pending[]): AsyncGenerator<Elicitation> {
  for (const one of those) yield* show(openGate, live, one);
}

/**
 * As it is when its turn comes, to whoever may see it then: a slow watcher must not be shown as pending what was decided meanwhile. Those who do not see
 * the session wait for no turn, and nothing is read for them.
 */
async function* show(openGate: () => Gate, { watch }: Live, pending: Pending): AsyncGenerator<Elicitation> {
  if (isSeen(openGate(), pending) === false) return;
  await watch.turn?.();
  const gate = openGate();
  const isSure = gate.access.reach.agents === null && isSeen(gate, pending); // an owner stays who it is; an agent's name may have changed unheard
  const elicitation = isSure ? await readRow(gate, ElicitationSchema, { id: pending.id, session: pending.session }) : await find.elicitation(gate, pending.id);
  if (elicitation) yield elicitation;
}

/** By the session as it is in memory, which it is when it has just asked. Null: it is not. */
function isSeen({ views, access }: Gate, { session }: Pending): boolean | null {
  const view = views.peek(session);
  return view ? seesSession(access, view) : null;
}
