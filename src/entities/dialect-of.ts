import type { SqlEntityManager } from '@mikro-orm/sql';
import { databaseOf, isShared } from './database-of.ts';
import type { Dialect } from './dialect.ts';
import { postgresDialect } from './postgres/dialect.ts';
import { sqliteDialect } from './sqlite/dialect.ts';

export function dialectOf(em: Pick<SqlEntityManager, 'config'>): Dialect {
  return isShared(databaseOf(em)) ? postgresDialect : sqliteDialect;
}
