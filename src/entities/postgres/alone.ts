import { MikroORM } from '@mikro-orm/postgresql';
import { databaseOf } from '../database-of.ts';
import type { Orm } from '../backend.ts';
import { chooseSchema } from './choose-schema.ts';
import { ormOptions } from './orm-options.ts';

/**
 * Does the work on connections of its own, which cut nothing off, while it holds an advisory lock: any number of servers may start at
 * once, and one after the other finds it done. The lock ends with the connection, however the process ends.
 */
export async function alone<T>(orm: Orm, work: (orm: Orm) => Promise<T>): Promise<T> {
  const own: Orm = new MikroORM(ormOptions(databaseOf(orm), { warn: (line) => orm.config.getLogger().log('info', line), poolMax: 3, isPatient: true }));
  try {
    await chooseSchema(own);
    const connection = own.em.getConnection();
    return await connection.transactional(async (holding) => {
      await connection.execute(`set local lock_timeout = '5min'`, [], 'run', holding);
      await connection.execute('select pg_advisory_xact_lock(?)', [lockKey], 'run', holding);
      return work(own);
    });
  } finally {
    await own.close(true);
  }
}

/** Any number that no other program takes: the first bytes of the SHA-256 of "countersign migrations", as PostgreSQL reads a bigint. */
const lockKey = '-4198512359347005946';
