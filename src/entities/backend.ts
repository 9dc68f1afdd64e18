import type { MigrationObject } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/sql';

/** An open database, whichever it is. */
export type Orm = MikroORM;

/** What differs between the databases. Each is a folder of its own, and loaded only where it is used. */
export interface Backend {
  /** In order. */
  readonly migrations: readonly MigrationObject[];
  /** The ORM on the database, not yet connected. */
  orm(database: string, settings?: OpenSettings): Orm;
  /** The database as it may be shown, logged and put into messages: without a password. */
  shown(database: string): string;
  /** The file beside which what belongs to the database is kept. Null: it has none. */
  fileOf(database: string): string | null;
  /** The first look, after which the ORM is ready. Rejects with the driver's error, or with a `DatabaseFault`. */
  probe(orm: Orm): Promise<void>;
  /** Rejects where the database does not answer. */
  ping(orm: Orm): Promise<void>;
  /** What the driver's error means for whoever runs the server, and what to do. */
  explain(error: unknown): Explanation;
  /** Whether our tables are there. A text pair: tables that are not ours stand in their way. */
  lookForTables(orm: Orm): Promise<'none' | 'ours' | Explanation>;
  /** Does the work, which brings the schema up to date, while no other process does it. */
  alone<T>(orm: Orm, work: (orm: Orm) => Promise<T>): Promise<T>;
  /** Claims the database for one server, where only one may run on it. Rejects with a `DatabaseFault`. */
  claim(database: string): Promise<Claim>;
}

/** What is wrong and what to do, to be read after the database: `cannot grow`, `the disk is full`. */
export type Explanation = readonly [wrong: string, remedy: string];

export interface OpenSettings {
  /** Gets what the ORM has to say, line by line. Default: stderr. */
  readonly warn?: (line: string) => void;
  /** How many connections there are at most, where there may be several. Default: 10. */
  readonly poolMax?: number;
  /** Gets the pool of connections, where there is one. */
  readonly poolMade?: (pool: Pool) => void;
}

/** How many connections there are, how many of them nobody uses, and how many callers wait for one. */
export interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** What one server holds until `release` or the end of its process, however it ends. */
export interface Claim {
  release(): Promise<void>;
}

/** Where nobody else listens: stdout belongs to the commands. */
export function warnOnStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
