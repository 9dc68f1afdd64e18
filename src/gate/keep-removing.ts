import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Dialect } from '../entities/dialect.ts';
import type { Log } from './log.ts';
import { removeOld } from './remove-old.ts';

export interface RetentionParts {
  readonly em: SqlEntityManager;
  readonly dialect: Dialect;
  /** How old what ended may become. */
  readonly days: number;
  readonly now: () => Date;
  readonly log: Log;
}

export interface Retention {
  /** Removes what is too old, now. It also happens by itself, every ten minutes. */
  run(): Promise<void>;
  /** Stops after the batch that is under way. */
  close(): Promise<void>;
}

const everyMilliseconds = 600_000;
const pauseMilliseconds = 50;
const dayMilliseconds = 86_400_000;

export function keepRemoving({ em, dialect, days, now, log }: RetentionParts): Retention {
  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function removeNow(): Promise<void> {
    const before = new Date(now().getTime() - days * dayMilliseconds);
    const removed = await removeOld({ em, dialect, before, pause: () => new Promise((resolve) => setTimeout(resolve, pauseMilliseconds)), signal: closing.signal });
    if (Object.values(removed).some((count) => count > 0)) log.info({ ...removed, before }, 'removed what was older than retentionDays');
  }

  const run = () => (running = running.then(removeNow).catch((error: unknown) => log.error({ err: error }, 'what is older than retentionDays could not be removed; it is tried again')));
  const timer = setInterval(() => void run(), everyMilliseconds);

  return {
    run,
    async close() {
      clearInterval(timer);
      closing.abort();
      await running;
    },
  };
}
