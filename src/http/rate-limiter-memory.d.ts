/** The one limiter that we use: the package's index loads those for twenty databases, which makes each start slower. It has types for the index only. */
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  import { RateLimiterMemory } from 'rate-limiter-flexible';
  export = RateLimiterMemory;
}
