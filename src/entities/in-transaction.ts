import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Tables } from './rows.ts';

const attemptsMax = 5;

/**
 * Does the work in a transaction, and all of it again where the database has undone it because two stood in each other's way. What it would persist
 * is not flushed: rows are written by statements.
 */
export async function inTransaction<T>(em: SqlEntityManager, work: (tx: SqlEntityManager) => Promise<T>): Promise<T> {
  return untilUndisturbed(() =>
    em
      .getKysely<Tables>()
      .transaction()
      .execute((on) => {
        const tx = em.fork();
        tx.setTransactionContext(on);
        return work(tx);
      }),
  );
}

/** As `inTransaction`, for work that is a transaction. */
export async function untilUndisturbed<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attemptsMax || !isCollision(error)) throw error;
    }
  }
}

/** PostgreSQL: a deadlock, or a transaction that cannot be put in order with another. SQLite: another program wrote after this one had begun to read. */
const collisions: readonly unknown[] = ['40P01', '40001', 'SQLITE_BUSY_SNAPSHOT'];

function isCollision(error: unknown): boolean {
  return collisions.includes((error as { readonly code?: unknown }).code);
}
