import type { SqlEntityManager } from '@mikro-orm/sql';
import { EvaluationSchema } from '../entities/evaluation.entity.ts';
import type { EvaluationId } from '../entities/id.ts';

const batchSize = 500;

/** Gives, batch after batch, which of the evaluations wait no more. Thousands are read in few statements, never all at the same moment. */
export async function* decidedAmong(ids: readonly EvaluationId[], openEm: () => SqlEntityManager): AsyncGenerator<EvaluationId> {
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const waiting = await openEm().find(EvaluationSchema, { id: { $in: batch }, status: 'AWAITING_APPROVAL' }, { fields: ['id'] });
    const stillWaiting = new Set(waiting.map(({ id }) => id));
    for (const id of batch) if (!stillWaiting.has(id)) yield id;
  }
}
