import type { SessionId } from '../entities/id.ts';
import { newVersion, SessionSchema } from '../entities/session.entity.ts';
import type { Gate } from './gate.ts';
import { lockSession } from './session-row.ts';

/** Whoever gets a verdict evaluates on the session, and so accepts nothing on it: also one who takes up a call that another began. */
export async function joinEvaluators(gate: Gate, id: SessionId): Promise<void> {
  const { evaluators } = await gate.em.findOneOrFail(SessionSchema, { id });
  if (evaluators.includes(gate.principal.id)) return;
  await gate.em.transactional(async (tx) => {
    const session = await lockSession(id, tx);
    if (session.evaluators.includes(gate.principal.id)) return;
    await tx.nativeUpdate(SessionSchema, { id }, { evaluators: [...session.evaluators, gate.principal.id], version: newVersion() });
  });
  gate.views.forget(id);
}
