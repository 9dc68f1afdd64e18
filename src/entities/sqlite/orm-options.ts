import type { EntityMetadata } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/sqlite';
import { warnOnStderr, type OpenSettings } from '../backend.ts';
import { entities } from '../index.ts';
import { sqliteMigrations } from '../migrations/sqlite/index.ts';
import { fileOf } from './file-of.ts';

/** For `sqlite:<file>` or `sqlite::memory:`. */
export function ormOptions(database: string, { warn = warnOnStderr }: OpenSettings = {}): Options {
  return defineConfig({
    entities,
    dbName: fileOf(database) ?? ':memory:',
    extensions: [Migrator],
    logger: warn, // its own would write to stdout, which belongs to the commands
    colors: false,
    discovery: { afterDiscovered: (storage) => storage.getAll().forEach(mapColumns) },
    migrations: { migrationsList: sqliteMigrations, snapshot: false, disableForeignKeys: false, allOrNothing: true, silent: true },
    onCreateConnection: setPragmas,
  });
}

/** Whole numbers have 64 bits there, whatever they are called. */
function mapColumns({ props }: EntityMetadata): void {
  for (const property of props) if (property.columnTypes[0] === 'bigint') property.columnTypes = ['integer'];
}

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
