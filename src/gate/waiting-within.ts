import type { FilterQuery } from '@mikro-orm/core';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import type { SessionId } from '../entities/id.ts';
import type { Principal } from '../entities/principal.ts';
import { subtreeOf } from '../entities/session.entity.ts';
import type { Gate } from './gate.ts';
import type { Reach } from './route-writes.ts';

/** What an accept in a session has written, as far as it matters to others. */
export interface Written {
  readonly sessionId: SessionId;
  readonly lineage: readonly SessionId[];
  readonly owner: Principal;
  readonly reach: Reach;
}

/** What waits for a person wherever the writes count, oldest first. */
export async function waitingWithin({ em }: Gate, { sessionId, lineage, owner, reach }: Written): Promise<Evaluation[]> {
  const oldestFirst = { orderBy: { id: 'asc' } } as const;
  const conditions: object[] = [];
  if (reach.tree) conditions.push({ session: { path: subtreeOf({ path: `${lineage[0] ?? sessionId}/` }) } });
  else if (reach.session) conditions.push({ session: sessionId });
  if (reach.owner) conditions.push({ session: { owner: { kind: owner.kind, id: owner.id } } });
  if (conditions.length === 0) return [];
  // From what is pending to what waits for it: of all that was ever judged, only the pending is indexed apart.
  return em.find(EvaluationSchema, { status: 'AWAITING_APPROVAL', elicitation: { settledAt: null, $or: conditions } } as FilterQuery<Evaluation>, oldestFirst);
}
