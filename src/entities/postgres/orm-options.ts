import type { EntityMetadata } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { warnOnStderr, type OpenSettings } from '../backend.ts';
import { entities } from '../index.ts';
import { postgresMigrations } from '../migrations/postgres/index.ts';
import { mindPool, type MindedPool } from './mind-pool.ts';
import { patientSocket } from './patient-socket.ts';
import { partsOf } from './url-parts.ts';

export interface PostgresSettings extends OpenSettings {
  /** For migrations, which may take their time on a large database: no statement is cut off. Default: false. */
  readonly isPatient?: boolean;
}

/** For `postgres://…`, with all that a URL of PostgreSQL's own clients may say. */
export function ormOptions(database: string, { warn = warnOnStderr, poolMax = 10, poolMade = () => undefined, isPatient = false }: PostgresSettings = {}): Options {
  const onPoolCreated = (pool: MindedPool) => {
    mindPool(pool);
    poolMade(pool);
  };
  return defineConfig({
    entities,
    clientUrl: database,
    dbName: partsOf(database).database,
    extensions: [Migrator],
    logger: warn, // its own would write to stdout, which belongs to the commands
    colors: false,
    discovery: { afterDiscovered: (storage) => storage.getAll().forEach(mapColumns) },
    pool: { max: poolMax },
    driverOptions: { connectionString: database, application_name: 'countersign', keepAlive: true, connectionTimeoutMillis: connectMilliseconds, options: '-c default_transaction_isolation=read\\ committed', onPoolCreated, ...(isPatient ? {} : impatient) },
    migrations: { tableName: 'countersign_migrations', migrationsList: postgresMigrations, snapshot: false, disableForeignKeys: false, allOrNothing: true, silent: true },
  });
}

/** To connect, and to wait for a connection of the pool to be free. */
const connectMilliseconds = 10_000;

/**
 * A database that does not answer is an error, not a hang. Each statement of ours takes milliseconds, but may wait for the lock of another.
 * The second is for whoever stops between two statements while holding locks: a server that is frozen must not hold up the others. The
 * socket is for a database that is frozen itself, or was cut off.
 */
const impatient = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 15_000, stream: () => patientSocket(20_000) };

/**
 * Texts are bytes in their order, as on SQLite: ids and paths are compared and sorted, and a prefix of a path is a range of the index. The
 * length is checked where a text comes in. JSON is kept as it was written: `jsonb` would sort the keys and refuse `\u0000`.
 */
function mapColumns({ props }: EntityMetadata): void {
  for (const property of props) {
    const type = property.columnTypes[0] ?? '';
    if (type === 'jsonb') property.columnTypes = ['json'];
    if (type !== 'text' && !type.startsWith('varchar')) continue;
    property.columnTypes = ['text'];
    property.collation = 'C';
  }
}
