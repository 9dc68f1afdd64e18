import { backendOf } from './backend-of.ts';
import type { Backend, OpenSettings, Orm } from './backend.ts';
import { DatabaseFault } from './database-fault.ts';

/**
 * Opens `sqlite:<file>`, made when it is not there, or `postgres://…`, as it is: `migrate` brings it up to date. Rejects with a
 * `DatabaseFault`.
 */
export async function openDatabase(database: string, settings: OpenSettings = {}): Promise<Orm> {
  const backend = await backendOf(database);
  const orm = backend.orm(database, settings);
  try {
    await backend.probe(orm);
    return orm;
  } catch (error) {
    await orm.close(true).catch(() => undefined);
    throw databaseFault(backend, database, error);
  }
}

/** What is wrong with the database and what to do, in the words of an operator. */
export function databaseFault(backend: Pick<Backend, 'shown' | 'explain'>, database: string, error: unknown): DatabaseFault {
  if (error instanceof DatabaseFault) return error;
  const [wrong, remedy] = backend.explain(error);
  return new DatabaseFault(`${backend.shown(database)} ${wrong}: ${remedy}`, { cause: error });
}
