import { backendOf } from './backend-of.ts';
import type { Backend, Orm } from './backend.ts';
import { databaseOf } from './database-of.ts';
import { DatabaseFault } from './database-fault.ts';
import { databaseFault } from './open-database.ts';

export interface MigrationStatus {
  readonly name: string;
  /** Null: not yet. */
  readonly executedAt: Date | null;
}

/**
 * Brings the schema up to date and gives the names of what was applied; nothing, when it is. Any number of processes may do so at once.
 * Rejects with a `DatabaseFault`.
 */
export async function migrate(orm: Orm): Promise<string[]> {
  const backend = await backendOf(databaseOf(orm));
  try {
    return await backend.alone(orm, async (own) => {
      const status = await statusOf(own, backend);
      return status.every(({ executedAt }) => executedAt) ? [] : (await own.migrator.up()).map(({ name }) => name);
    });
  } catch (error) {
    throw databaseFault(backend, databaseOf(orm), error);
  }
}

/** Every migration that the code knows, in order. Rejects with a `DatabaseFault` where the database is not ours, or is of a newer version. */
export async function migrationStatus(orm: Orm): Promise<MigrationStatus[]> {
  const backend = await backendOf(databaseOf(orm));
  try {
    return await statusOf(orm, backend);
  } catch (error) {
    throw databaseFault(backend, databaseOf(orm), error);
  }
}

async function statusOf(orm: Orm, backend: Backend): Promise<MigrationStatus[]> {
  const shown = backend.shown(databaseOf(orm));
  const tables = await backend.lookForTables(orm);
  if (typeof tables !== 'string') throw new DatabaseFault(`${shown} ${tables.join(': ')}`);
  const executed = new Map((tables === 'none' ? [] : await orm.migrator.getExecuted()).map(({ name, executed_at: executedAt }) => [name, executedAt]));
  const known = backend.migrations.map(({ name }) => name);
  const unknown = [...executed.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new DatabaseFault(`${shown} was written by a newer version (it has ${unknown}): install that version or a later one`);
  return known.map((name) => ({ name, executedAt: executed.get(name) ?? null }));
}
