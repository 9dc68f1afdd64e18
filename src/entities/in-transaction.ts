import type { SqlEntityManager } from '@mikro-orm/sql';

const attemptsMax = 5;

/** Does the work in a transaction, and all of it again where the database has undone it because two stood in each other's way. */
export async function inTransaction<T>(em: SqlEntityManager, work: (tx: SqlEntityManager) => Promise<T>): Promise<T> {
  return untilUndisturbed(() => em.transactional(work));
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

/** PostgreSQL: a deadlock, or a transaction that cannot be put in order with another. */
function isCollision(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === '40P01' || code === '40001';
}
