import { LRUCache } from 'lru-cache';
import { system } from '../entities/principal.ts';
import type { AuditNote } from './append-audit.ts';
import type { LimitHit, OnLimitHit } from './limit-hit.ts';

/** A credential from this address was wrong. Never throws, and costs next to nothing: floods come through here. */
export type OnSignInFailed = (address: string) => void;

export interface RefusalWatch {
  readonly onLimitHit: OnLimitHit;
  readonly onSignInFailed: OnSignInFailed;
}

interface RefusalWatchParts {
  readonly log: { warn(fields: object, message: string): void };
  readonly now: () => Date;
  /** Appends to the audit log, later. */
  readonly record: (note: AuditNote) => void;
}

const quietMilliseconds = 60_000;

/** How many callers are kept apart, and how many of their refusals are told of within a minute: beyond, a flood from many addresses would fill log and disk. */
const callersMax = 10_000;
const toldMax = 200;

/** Tells the log and the audit log of what is refused: the first of a kind by a caller at once, then once a minute with how many there were. */
export function createRefusalWatch({ log, now, record }: RefusalWatchParts): RefusalWatch {
  const seen = new LRUCache<string, { toldAt: number; times: number }>({ max: callersMax });
  let minute = { startedAt: -Infinity, told: 0 };

  /** How many there were since it was last told of; null: not now. */
  function countOf(kind: readonly unknown[], at: number): number | null {
    const key = JSON.stringify(kind);
    const known = seen.get(key);
    const times = (known?.times ?? 0) + 1;
    if (known && at - known.toldAt < quietMilliseconds) {
      known.times = times;
      return null;
    }
    if (at - minute.startedAt >= quietMilliseconds) minute = { startedAt: at, told: 0 };
    seen.set(key, { toldAt: at, times: 0 });
    minute.told += 1;
    return minute.told > toldMax ? null : times;
  }

  function onLimitHit({ limit, principal, address }: LimitHit): void {
    const at = now();
    const times = countOf([limit, principal?.id, address], at.getTime());
    if (times === null) return;
    const from = address === undefined ? {} : { address };
    log.warn({ limit, principal: principal && { kind: principal.kind, id: principal.id }, ...from, times }, 'a limit was met');
    record({ at, actor: principal ?? system, session: null, action: 'LIMIT_HIT', after: { limit, ...from, times } });
  }

  function onSignInFailed(address: string): void {
    const at = now();
    const times = countOf(['sign-in', address], at.getTime());
    if (times === null) return;
    log.warn({ address, times }, 'a credential was refused');
    record({ at, actor: system, session: null, action: 'SIGN_IN_FAILED', after: { address, times } });
  }

  return { onLimitHit, onSignInFailed };
}
