import type { Pool } from '../backend.ts';

/** The little of pg's pool that is needed; MikroORM does not type it. */
export interface MindedPool extends Pool {
  readonly ending: boolean;
  on(event: 'connect' | 'acquire', listener: (client: PooledClient) => void): void;
  on(event: 'release', listener: (error: unknown, client: PooledClient) => void): void;
}

interface PooledClient {
  /** Set anew each time that it is given out. Throws where it was given back already. */
  release: (destroy: boolean) => void;
  once(event: 'end', listener: () => void): void;
}

/** Gets back for a pool the connections that whoever has them will never give back. */
export function mindPool(pool: MindedPool): void {
  endWithoutRest(pool);
  takeBackBroken(pool);
}

/** A connection that is being made while the pool ends is given to Kysely, which drops it; the pool would wait for it for ever. */
function endWithoutRest(pool: MindedPool): void {
  pool.on('acquire', (client) => {
    if (pool.ending) setImmediate(() => client.release(true));
  });
}

/**
 * Kysely gives the connection of a transaction back after its rollback or commit, if that succeeds: never where the connection is broken.
 * Each would keep its place in the pool, until none is left, and the pool would wait for it when it ends.
 */
function takeBackBroken(pool: MindedPool): void {
  const givenOut = new Set<PooledClient>();
  pool.on('acquire', (client) => givenOut.add(client));
  pool.on('release', (_error, client) => givenOut.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!givenOut.has(client)) return;
      client.release(true);
      client.release = () => undefined; // whoever has it may still give it back
    });
  });
}
