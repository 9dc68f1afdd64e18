import type { SqlEntityManager } from '@mikro-orm/sql';
import { dialectOf } from '../entities/dialect-of.ts';
import type { Dialect } from '../entities/dialect.ts';
import type { EvaluationId } from '../entities/id.ts';
import type { Principal } from '../entities/principal.ts';
import type { Access } from './access.ts';
import type { Events, Happening, Resync } from './events.ts';
import type { OnLimitHit } from './limit-hit.ts';
import { tooManyPending, type TooManyPending } from './outcome.ts';
import type { WaitingRoom } from './waiting-room.ts';

export interface PendingLimits {
  /** How many evaluations of one owner, over all of the owner's credentials, may wait for a decision. */
  readonly pendingPerPrincipal: number;
  readonly pendingTotal: number;
}

/**
 * Who has how many evaluations that wait for a decision. The rows are the truth; this is what of them is known here, so that an ask is
 * refused at once and nothing is read for it. A place is taken before anything is stored: those who ask at the same moment see each other.
 */
export interface PendingPlaces {
  /** How many wait, as far as is known here. */
  readonly total: number;
  take(caller: { readonly principal: Principal; readonly access: Access }): Place | TooManyPending;
  /** Reads the rows again, where the last time is long enough ago: an event that was lost must not cost a place for good. */
  reread(): Promise<void>;
}

/** Room for one evaluation that asks. */
export interface Place {
  readonly kind: 'place';
  /** The evaluation that is to be stored. Its decision gives the place back. */
  holdFor(id: EvaluationId): void;
  /** It is stored: `free` does nothing from now on. */
  keep(): void;
  free(): void;
}

export interface PlacesParts {
  readonly em: SqlEntityManager;
  readonly events: Events;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly waiting: Pick<WaitingRoom, 'isFull'>;
  readonly settings: { readonly waitingMax: number; readonly rereadSeconds: number; readonly limits: PendingLimits };
  readonly onLimitHit: OnLimitHit;
}

interface Held {
  readonly owner: string;
  isStored: boolean;
}

export async function openPendingPlaces({ em, events, now, signal, waiting, settings, onLimitHit }: PlacesParts): Promise<PendingPlaces> {
  const { waitingMax, rereadSeconds, limits } = settings;
  const held = new Map<EvaluationId, Held>();
  const counts = new Map<string, number>();
  let total = 0;
  let readAt = -Infinity;
  let decidedWhileReading: Set<EvaluationId> | null = null;

  function count(owner: string, change: 1 | -1): void {
    const left = (counts.get(owner) ?? 0) + change;
    if (left > 0) counts.set(owner, left);
    else counts.delete(owner);
    total += change;
  }

  function release(id: EvaluationId): void {
    const place = held.get(id);
    if (!place) return;
    held.delete(id);
    count(place.owner, -1);
  }

  function excessOf(owner: string): { limit: string; refusal: TooManyPending } | null {
    if (waiting.isFull) return { limit: 'waitingMax', refusal: tooManyPending(waitingMax, 'server') };
    if (total >= limits.pendingTotal) return { limit: 'limits.pendingTotal', refusal: tooManyPending(limits.pendingTotal, 'server') };
    if ((counts.get(owner) ?? 0) >= limits.pendingPerPrincipal) return { limit: 'limits.pendingPerPrincipal', refusal: tooManyPending(limits.pendingPerPrincipal, 'caller') };
    return null;
  }

  async function reread(): Promise<void> {
    const at = now().getTime();
    if (at - readAt < rereadSeconds * 1000) return;
    readAt = at;
    const before = [...held].filter(([, { isStored }]) => isStored).map(([id]) => id);
    const decided = new Set<EvaluationId>();
    decidedWhileReading = decided;
    const rows = new Map((await readPending(em)).map(({ id, owner }) => [id, owner]));
    decidedWhileReading = null;
    for (const id of before) if (!rows.has(id)) release(id);
    for (const [id, owner] of rows) {
      if (held.has(id) || decided.has(id)) continue;
      held.set(id, { owner, isStored: true });
      count(owner, 1);
    }
  }

  async function listen(happenings: AsyncIterable<Happening | Resync>): Promise<void> {
    for await (const happening of happenings) {
      if (happening.kind === 'resync') readAt = -Infinity; // the next sweep reads the rows
      if (happening.kind !== 'evaluationDecided') continue;
      decidedWhileReading?.add(happening.evaluationId);
      release(happening.evaluationId);
    }
  }

  const happenings = await events.subscribe('inbox', signal);
  void listen(happenings);
  await reread();

  return {
    get total() {
      return total;
    },
    reread,
    take({ principal, access }) {
      const owner = access.owner.id;
      const excess = excessOf(owner);
      if (excess) {
        onLimitHit({ limit: excess.limit, principal });
        return excess.refusal;
      }
      count(owner, 1);
      let place: Held | null = null;
      let free = () => count(owner, -1);
      return {
        kind: 'place',
        holdFor(id) {
          place = { owner, isStored: false };
          held.set(id, place);
          free = () => release(id);
        },
        keep() {
          if (place) place.isStored = true;
          free = () => undefined;
        },
        free: () => {
          free();
          free = () => undefined;
        },
      };
    },
  };
}

/** Whoever an agent's key acts for is found by the key, as its evaluations name only that. The status is no parameter, so that the index of what waits is used. */
function pendingRows({ textIn }: Dialect): string {
  const caller = textIn('e.principal', 'id');
  return `select e.id as id, coalesce(${textIn('k.owner', 'id')}, ${caller}) as owner
    from evaluation e left join api_key k on k.id = ${caller} where e.status = 'AWAITING_APPROVAL'`;
}

async function readPending(em: SqlEntityManager): Promise<readonly { id: EvaluationId; owner: string }[]> {
  return em.fork().getConnection().execute<{ id: EvaluationId; owner: string }[]>(pendingRows(dialectOf(em)));
}
