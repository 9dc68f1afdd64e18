import { setTimeout } from 'node:timers/promises';
import { sessionEvents } from '../crash/documents.ts';
import type { World } from './ask-fleet.ts';
import type { Reading } from './ledger.ts';
import { subscribeAlways } from './watch.ts';

interface Told {
  readonly cursor: string;
  readonly type: string;
}

/** Follows a session from its first event on, and goes on by its cursor whenever its connection ends. Resolves when the session has ended and as much was read as is stored, or with `until`. */
export async function follow(world: World, sessionId: string, { staysForSeconds = 20, until }: { staysForSeconds?: number; until: AbortSignal }): Promise<Reading> {
  const reading: Reading = { sessionId, cursors: [] };
  const hasEnded = Promise.withResolvers<null>();
  const complete = new AbortController();
  const either = AbortSignal.any([until, complete.signal]);
  const completing = hasEnded.promise.then(async () => {
    while (!either.aborted && (await countEvents(world, sessionId)) > reading.cursors.length) await setTimeout(1000);
    complete.abort();
  });
  await subscribeAlways<Told>(
    world,
    {
      as: 'ada',
      query: sessionEvents,
      variables: () => ({ sessionId, after: reading.cursors.at(-1) ?? null }),
      staysFor: () => world.random.integer(2, staysForSeconds) * 1000,
      arrived: () => ({
        next({ cursor, type }) {
          if (type === 'RESYNC') world.ledger.broken.push(`a reader of ${sessionId} was told to resync, though nothing was removed`);
          reading.cursors.push(cursor);
          if (type === 'SESSION_ENDED') hasEnded.resolve(null); // what it cancels comes behind it
        },
        left: () => undefined,
      }),
    },
    either,
  );
  hasEnded.resolve(null);
  await completing;
  return reading;
}

/** As it is stored. Endless while the database is away: there may be more. */
export async function countEvents({ fleet }: World, sessionId: string): Promise<number> {
  try {
    const [row] = await fleet.query<{ count: number }>(`select count(*)::int as count from session_event where session_id = '${sessionId}'`);
    return row?.count ?? 0;
  } catch {
    return Infinity;
  }
}
