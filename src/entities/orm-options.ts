import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/sqlite';
import { entities } from './index.ts';
import { sqliteMigrations } from './migrations/sqlite/index.ts';

/** The ORM's configuration for `sqlite:<file>` or `sqlite::memory:`. `warn` gets what the ORM has to say, line by line. */
export function ormOptions(database: string, warn: (line: string) => void = (line) => void process.stderr.write(`${line}\n`)): Options {
  return defineConfig({
    entities,
    dbName: database.slice(prefix.length),
    extensions: [Migrator],
    logger: warn, // its own would write to stdout, which belongs to the commands
    colors: false,
    migrations: { migrationsList: sqliteMigrations, snapshot: false, disableForeignKeys: false, allOrNothing: true, silent: true },
    onCreateConnection: setPragmas,
  });
}

const prefix = 'sqlite:';

const pragmas = [
  'busy_timeout = 5000', // first: the next one may have to wait for another process
  'journal_mode = WAL',
  'synchronous = NORMAL', // with WAL, a crash of the process loses nothing; only a power cut may take the last moments
  'foreign_keys = ON',
];

async function setPragmas(connection: unknown): Promise<void> {
  for (const pragma of pragmas) await (connection as KyselyConnection).executeQuery({ sql: `pragma ${pragma}`, parameters: [] });
}

/** The little of Kysely's connection that a pragma needs; MikroORM does not type it. */
interface KyselyConnection {
  executeQuery(query: { readonly sql: string; readonly parameters: readonly unknown[] }): Promise<unknown>;
}
