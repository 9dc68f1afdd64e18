import { MikroORM } from '@mikro-orm/postgresql';
import type { Backend } from '../backend.ts';
import { postgresMigrations } from '../migrations/postgres/index.ts';
import { alone } from './alone.ts';
import { chooseSchema } from './choose-schema.ts';
import { explain } from './explain.ts';
import { ormOptions } from './orm-options.ts';
import { shown } from './url-parts.ts';

/** One database for any number of servers, perhaps among the tables of other programs. */
export const postgres: Backend = {
  migrations: postgresMigrations,
  orm: (database, settings) => new MikroORM(ormOptions(database, settings)),
  shown,
  explain,
  alone,
  claim: () => Promise.resolve({ release: () => Promise.resolve() }),
  fileOf: () => null,
  probe: chooseSchema,

  async ping(orm) {
    await orm.em.getConnection().execute('select 1');
  },

  async lookForTables(orm) {
    const ours = [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);
    const migrations = orm.config.get('migrations').tableName ?? '';
    const rows = await orm.em.getConnection().execute<{ name: string }[]>(`select tablename as name from pg_tables where schemaname = current_schema() and tablename in (?)`, [[...ours, migrations]]);
    const names = rows.map(({ name }) => name);
    if (names.length === 0) return 'none';
    if (names.includes(migrations)) return 'ours';
    return [`has a table "${names[0] ?? ''}" of another program`, 'give another database, or a schema of its own in the search_path of the user'];
  },
};
