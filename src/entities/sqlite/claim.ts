import { MikroORM } from '@mikro-orm/sqlite';
import type { Claim } from '../backend.ts';
import { DatabaseFault } from '../database-fault.ts';
import { fileOf } from './file-of.ts';

/**
 * Claims a database for one server. Two servers on one file would not hear of each other's changes: a policy attached at one would not
 * judge at the other. The claim is SQLite's own lock on an empty file beside the database, which stays free for backups and for
 * `migrate --status`.
 */
export async function claim(database: string): Promise<Claim> {
  const file = fileOf(database);
  if (file === null) return { release: () => Promise.resolve() };
  const orm = new MikroORM({ entities: [], dbName: `${file}.lock`, discovery: { warnWhenNoEntities: false }, driverOptions: { timeout: 0 } });
  try {
    await orm.em.getConnection().execute('begin exclusive');
  } catch (error) {
    await orm.close(true).catch(() => undefined);
    if (!isTaken(error)) return { release: () => Promise.resolve() }; // what keeps the lock file from being made will keep the database from opening, and say so better
    throw new DatabaseFault(`${database} is served by another process: stop that one, or give another file with --database`, { cause: error });
  }
  return {
    release: () => orm.close(true),
  };
}

function isTaken(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
}
