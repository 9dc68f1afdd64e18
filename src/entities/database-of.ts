import type { SqlEntityManager } from '@mikro-orm/sql';

/** Whether several servers may run on the database. */
export function isShared(database: string): boolean {
  return !database.startsWith('sqlite:');
}

/** The database of an ORM or an entity manager, as `openDatabase` was given it. */
export function databaseOf({ config }: Pick<SqlEntityManager, 'config'>): string {
  const url = config.get('clientUrl'); // of SQLite it is MikroORM's own default
  return url?.startsWith('postgres') ? url : `sqlite:${config.get('dbName')}`;
}
