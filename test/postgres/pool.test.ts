import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Pool } from '../../src/entities/backend.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.remove());

it('the pool tells how many connections are used and how many callers wait for one', async () => {
  const pools: Pool[] = [];
  const orm = await openDatabase(database.url, { poolMax: 2, poolMade: (pool) => pools.push(pool) });
  const counts = () => pools.map(({ totalCount, idleCount, waitingCount }) => [totalCount - idleCount, waitingCount]);
  try {
    expect(counts()).toEqual([[0, 0]]);
    const naps = Array.from({ length: 5 }, () => orm.em.fork().getConnection().execute('select pg_sleep(0.5)'));
    await expect.poll(counts, { interval: 5 }).toEqual([[2, 3]]);
    await Promise.all(naps);
    expect(counts()).toEqual([[0, 0]]);
  } finally {
    await orm.close();
  }
});
