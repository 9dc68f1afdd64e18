import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Orm } from '../../src/entities/backend.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const poolMax = 2;

let database: TestDatabase;
let orm: Orm;
let other: Orm;
beforeEach(async () => {
  database = await createDatabase();
  orm = await openDatabase(database.url, { poolMax });
  other = await openDatabase(database.url);
});
afterEach(async () => {
  await other.close();
  await database.remove();
});

/** A transaction whose connection breaks in its middle. */
function brokenTransaction(): Promise<unknown> {
  return orm.em.fork().transactional(async (tx) => {
    const run = <Row>(sql: string) => tx.getConnection().execute<Row[]>(sql, [], 'all', tx.getTransactionContext());
    const [row] = await run<{ pid: number }>('select pg_backend_pid() as pid');
    await other.em.getConnection().execute('select pg_terminate_backend(?)', [row?.pid]);
    await run('select pg_sleep(5)');
  });
}

describe('a connection that breaks within a transaction', () => {
  it('leaves its place in the pool, so that any number of them may break', async () => {
    for (let count = 0; count < poolMax + 1; count += 1) await expect(brokenTransaction()).rejects.toThrow();
    await expect(orm.em.fork().transactional((tx) => tx.getConnection().execute('select 1 as one', [], 'all', tx.getTransactionContext()))).resolves.toEqual([{ one: 1 }]);
    await orm.close();
  });

  it('keeps nobody waiting who closes the database', async () => {
    await expect(brokenTransaction()).rejects.toThrow();
    await orm.close();
  });
});
