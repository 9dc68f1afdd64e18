import { LRUCache } from 'lru-cache';
import type { Principal } from '../entities/principal.ts';

/** A limit that a caller has met, by its key in the configuration. */
export interface LimitHit {
  readonly limit: string;
  /** Null: nobody has been let in yet. */
  readonly principal: Principal | null;
  /** Where the caller is, where that is what counts. */
  readonly address?: string;
}

/** The one place where each limit that is met is noticed. Never throws, and costs next to nothing: floods come through here. */
export type OnLimitHit = (hit: LimitHit) => void;

const quietMilliseconds = 60_000;
const callersMax = 10_000;

/** Logs the first hit of a limit by a caller at once, then one line a minute that says how many there were. */
export function createLimitWatch({ log, now }: { log: { warn(fields: object, message: string): void }; now: () => Date }): OnLimitHit {
  const seen = new LRUCache<string, { loggedAt: number; times: number }>({ max: callersMax });
  return ({ limit, principal, address }) => {
    const key = JSON.stringify([limit, principal?.id, address]);
    const at = now().getTime();
    const known = seen.get(key);
    const times = (known?.times ?? 0) + 1;
    if (known && at - known.loggedAt < quietMilliseconds) {
      known.times = times;
      return;
    }
    seen.set(key, { loggedAt: at, times: 0 });
    log.warn({ limit, principal: principal && { kind: principal.kind, id: principal.id }, ...(address === undefined ? {} : { address }), times }, 'a limit was met');
  };
}
