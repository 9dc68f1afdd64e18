import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { Identity } from '../gate/credentials.ts';
import type { OnLimitHit } from '../gate/limit-hit.ts';
import type { RateBucket } from '../graphql/context.ts';
import { secondsLeft } from './seconds-left.ts';

export interface RateLimits {
  /** Queries, subscriptions, and mutations that are no decisions. */
  readonly callsPerMinute: number;
  /** What ends an ask: a flood of calls by the same credential must not keep anybody from it. */
  readonly decisionsPerMinute: number;
}

export interface Rates {
  /** Counts one use of the caller's credential. 0: it may be; else in how many seconds it may be again. */
  take(caller: Identity, bucket: RateBucket): Promise<number>;
}

const windowSeconds = 60;

/** How often each credential is used, in this process, by the minute. */
export function openRates({ callsPerMinute, decisionsPerMinute }: RateLimits, onLimitHit: OnLimitHit): Rates {
  const buckets = {
    calls: { limit: 'limits.callsPerMinute', limiter: new RateLimiterMemory({ points: callsPerMinute, duration: windowSeconds }) },
    decisions: { limit: 'limits.decisionsPerMinute', limiter: new RateLimiterMemory({ points: decisionsPerMinute, duration: windowSeconds }) },
  };
  return {
    async take({ credential, principal }, bucket) {
      const { limit, limiter } = buckets[bucket];
      try {
        await limiter.consume(credential);
        return 0;
      } catch (refused) {
        onLimitHit({ limit, principal });
        return secondsLeft(refused);
      }
    },
  };
}
