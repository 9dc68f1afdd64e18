import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { RefusalWatch } from '../gate/refusal-watch.ts';
import type { Authenticate, Identity } from './authenticate.ts';
import { secondsLeft } from './seconds-left.ts';

/** Whether a caller is let in. */
export type Admission =
  | { readonly kind: 'admitted'; readonly identity: Identity }
  | { readonly kind: 'unknown' }
  /** From where he calls too many credentials were wrong: his own was not even looked at. */
  | { readonly kind: 'tooManyFailures'; readonly retryAfterSeconds: number };

export interface Arrival {
  readonly authorization: string | undefined;
  /** Where he calls from, as `networkOf` has it. */
  readonly network: string;
}

export type Admit = (arrival: Arrival) => Promise<Admission>;

export interface LoginLimits {
  readonly failedLoginsPerAddress: number;
  readonly failedLoginsWindowSeconds: number;
}

/** Lets callers in by their credentials, and counts by address those that are wrong. Who shows none has failed at nothing. */
export function admitBy(authenticate: Authenticate, { failedLoginsPerAddress, failedLoginsWindowSeconds }: LoginLimits, { onLimitHit, onSignInFailed }: RefusalWatch): Admit {
  const failures = new RateLimiterMemory({ points: failedLoginsPerAddress, duration: failedLoginsWindowSeconds });
  return async ({ authorization, network }) => {
    const failed = authorization === undefined ? null : await failures.get(network);
    if (failed && failed.consumedPoints >= failedLoginsPerAddress && failed.msBeforeNext > 0) {
      onLimitHit({ limit: 'limits.failedLoginsPerAddress', principal: null, address: network });
      return { kind: 'tooManyFailures', retryAfterSeconds: secondsLeft(failed) };
    }
    const identity = await authenticate(authorization);
    if (identity) return { kind: 'admitted', identity };
    if (authorization !== undefined) {
      onSignInFailed(network);
      await failures.penalty(network);
    }
    return { kind: 'unknown' };
  };
}
