import type { Orm } from '../../src/entities/backend.ts';
import { databaseOf } from '../../src/entities/database-of.ts';

/** From now on each insert into a table, or each update of it, fails as on a full disk. Gives what mends it. */
export async function breakWrites(orm: Orm, { on, table }: { readonly on: 'insert' | 'update'; readonly table: string }): Promise<() => Promise<void>> {
  const run = async (statement: string): Promise<void> => {
    await orm.em.fork().execute(statement);
  };
  if (databaseOf(orm).startsWith('sqlite:')) {
    await run(`create trigger full before ${on} on ${table} begin select raise(abort, 'database or disk is full'); end`);
    return () => run('drop trigger full');
  }
  await run(`create function disk_full() returns trigger language plpgsql as $$ begin raise exception 'database or disk is full'; end $$`);
  await run(`create trigger disk_full before ${on} on ${table} for each row execute function disk_full()`);
  return () => run('drop function disk_full cascade');
}
