import type { SessionId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { readRowOrFail, updateRows } from '../entities/rows.ts';
import { newVersion, SessionSchema } from '../entities/session.entity.ts';
import { identitiesOf } from './access.ts';
import type { Gate } from './gate.ts';
import { lockSession } from './session-row.ts';

/** Whoever gets a verdict evaluates on the session, and so accepts nothing on it: also one who takes up a call that another began. */
export async function joinEvaluators(gate: Gate, id: SessionId): Promise<void> {
  const { evaluators } = await readRowOrFail(gate, SessionSchema, { id });
  const missing = (known: readonly string[]) => identitiesOf(gate).filter((id) => !known.includes(id));
  if (missing(evaluators).length === 0) return;
  await inTransaction(gate.em, async (tx) => {
    const session = await lockSession(id, tx);
    const joining = missing(session.evaluators);
    if (joining.length === 0) return;
    await updateRows({ em: tx }, SessionSchema, { set: { evaluators: [...session.evaluators, ...joining], version: newVersion() }, where: { id } });
  });
  gate.views.forget(id);
}
