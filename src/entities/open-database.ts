import { MikroORM } from '@mikro-orm/sqlite';
import { ormOptions } from './orm-options.ts';

/** A database that cannot be used. The message is one line and says what to do. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
}

/** Opens `sqlite:<file>`, made when it is not there, as it is: `migrate` brings it up to date. Rejects with a `DatabaseFault`. */
export async function openDatabase(database: string, warn?: (line: string) => void): Promise<MikroORM> {
  const orm = new MikroORM(ormOptions(database, warn));
  try {
    await orm.em.getConnection().execute('pragma schema_version'); // the first that reads the file
    return orm;
  } catch (error) {
    await orm.close(true).catch(() => undefined);
    throw databaseFault(database, error);
  }
}

/** What is wrong with the database and what to do, in the words of an operator. */
export function databaseFault(database: string, error: unknown): DatabaseFault {
  const { code, message } = error as { code?: unknown; message?: string };
  const [wrong, remedy] = explain(typeof code === 'string' ? code : '', message ?? String(error));
  return new DatabaseFault(`${database} ${wrong}: ${remedy}`, { cause: error });
}

function explain(code: string, message: string): [wrong: string, remedy: string] {
  if (code === 'SQLITE_NOTADB') return ['is not a database', 'give another file with --database sqlite:<file>'];
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return ['is locked by another program', 'stop that one, or give another file with --database'];
  if (code.startsWith('SQLITE_READONLY')) return ['is not writable', 'make the file and its directory writable, or give another file with --database'];
  if (code.startsWith('SQLITE_CANTOPEN')) return ['cannot be opened', 'it must be a file, in a directory in which it can be written'];
  if (code.startsWith('SQLITE_CORRUPT')) return ['is damaged', 'restore a copy, or give another file with --database'];
  if (code.startsWith('SQLITE_FULL')) return ['cannot grow', 'the disk is full'];
  if (message.includes('directory does not exist')) return ['cannot be made', 'its directory does not exist'];
  return ['cannot be used', message.split('\n')[0] ?? message];
}
