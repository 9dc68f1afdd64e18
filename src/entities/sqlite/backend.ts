import { setTimeout } from 'node:timers/promises';
import { TableExistsException } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/sqlite';
import type { Backend, Orm } from '../backend.ts';
import { sqliteMigrations } from '../migrations/sqlite/index.ts';
import { claim } from './claim.ts';
import { explain } from './explain.ts';
import { fileOf } from './file-of.ts';
import { keepStatements, type SqliteConnection } from './keep-statements.ts';
import { ormOptions } from './orm-options.ts';

/** One file, for one server. */
export const sqlite: Backend = {
  migrations: sqliteMigrations,
  orm: (database, settings) => new MikroORM(ormOptions(database, settings)),
  shown: (database) => database,
  explain,
  claim,
  fileOf,
  ping,

  async probe(orm) {
    await ping(orm);
    await keepStatements(orm.em.getConnection() as object as SqliteConnection);
  },

  async lookForTables(orm) {
    const tables = await orm.em.getConnection().execute<{ name: string }[]>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'");
    if (tables.length === 0) return 'none';
    return tables.some(({ name }) => name === orm.config.get('migrations').tableName) ? 'ours' : ['is the database of another program', 'give another file with --database sqlite:<file>'];
  },

  /** SQLite has a lock of its own, but tells whoever comes second instead of letting him wait. */
  async alone(orm, work) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(orm);
      } catch (error) {
        if (attempt === attemptsMax || !isRace(error)) throw error;
        await setTimeout(attempt * 20);
      }
    }
  },
};

const attemptsMax = 15; // about two seconds

/** Reads the file. */
async function ping(orm: Orm): Promise<void> {
  await orm.em.getConnection().execute('pragma schema_version');
}

function isRace(error: unknown): boolean {
  return error instanceof TableExistsException || /already exists|locked/.test(String(error));
}
