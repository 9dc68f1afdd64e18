import { TableExistsException } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/sqlite';
import { sqliteMigrations } from './migrations/sqlite/index.ts';
import { DatabaseFault, databaseFault } from './open-database.ts';

export interface MigrationStatus {
  readonly name: string;
  /** Null: not yet. */
  readonly executedAt: Date | null;
}

/** Brings the schema up to date and gives the names of what was applied; nothing, when it is. Rejects with a `DatabaseFault`. */
export async function migrate(orm: MikroORM): Promise<string[]> {
  await migrationStatus(orm);
  try {
    return (await orm.migrator.up()).map(({ name }) => name);
  } catch (error) {
    const pending = await orm.migrator.getPending();
    if (pending.length === 0) return []; // another process was faster
    throw databaseFault(databaseOf(orm), error);
  }
}

/** Every migration that the code knows, in order. Rejects with a `DatabaseFault` where the database is not ours, or is of a newer version. */
export async function migrationStatus(orm: MikroORM): Promise<MigrationStatus[]> {
  const tables = await orm.em.getConnection().execute<{ name: string }[]>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'");
  if (tables.length > 0 && !tables.some(({ name }) => name === 'mikro_orm_migrations')) {
    throw new DatabaseFault(`${databaseOf(orm)} is the database of another program: give another file with --database sqlite:<file>`);
  }
  const executed = new Map((await executedMigrations(orm)).map(({ name, executed_at: executedAt }) => [name, executedAt]));
  const known = sqliteMigrations.map(({ name }) => name);
  const unknown = [...executed.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new DatabaseFault(`${databaseOf(orm)} was written by a newer version (it has ${unknown}): install that version or a later one`);
  }
  return known.map((name) => ({ name, executedAt: executed.get(name) ?? null }));
}

/** The first look makes the table that they are noted in; where two processes look first at once, one of them finds it made. */
async function executedMigrations(orm: MikroORM): ReturnType<MikroORM['migrator']['getExecuted']> {
  try {
    return await orm.migrator.getExecuted();
  } catch (error) {
    if (error instanceof TableExistsException || /already exists|locked/.test(String(error))) return orm.migrator.getExecuted();
    throw databaseFault(databaseOf(orm), error);
  }
}

function databaseOf(orm: MikroORM): string {
  return `sqlite:${orm.config.get('dbName')}`;
}
