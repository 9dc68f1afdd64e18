import { z } from 'zod';
import { inTransaction } from '../entities/in-transaction.ts';
import { newVersion, SessionSchema, type Session } from '../entities/session.entity.ts';
import { appendAudit } from './append-audit.ts';
import { auditView } from './audit-notes.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { given, labels, parse, shortText } from './input.ts';
import { conflict, notFound, type Conflict, type InvalidInput, type NotFound } from './outcome.ts';
import { lockSession } from './session-row.ts';

const changes = z.object({ title: shortText.nullish(), labels: labels.optional(), model: shortText.nullish() });

/** Omitted: unchanged. Null clears title or model. Labels are merged: each key given is set, the others stay. */
export type UpdateSessionInput = z.input<typeof changes> & { readonly sessionId: string };

export async function updateSession(gate: Gate, input: UpdateSessionInput): Promise<{ kind: 'updated'; session: Session } | InvalidInput | NotFound | Conflict> {
  const parsed = parse(changes, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const found = await find.session(gate, input.sessionId);
  if (!found) return notFound('session', input.sessionId);
  const { id } = found;
  const { labels: newLabels = {}, ...texts } = given(parsed.value);
  const others = gate.masking.json(texts).value;
  const failure = await inTransaction(gate.em, async (tx) => {
    const session = await lockSession(id, tx);
    if (session.endedAt) return conflict(`The session ${id} has ended: it cannot be changed.`);
    const before = auditView.session(session);
    const change = { ...others, labels: { ...session.labels, ...gate.masking.labels(newLabels) } };
    await tx.nativeUpdate(SessionSchema, { id }, { ...change, version: newVersion() });
    await appendAudit({ em: tx }, [{ at: gate.now(), actor: gate.principal, session: id, action: 'SESSION_UPDATED', subject: id, before, after: { ...before, ...change } }]);
    return null;
  });
  if (failure) return failure;
  gate.views.forget(id);
  return { kind: 'updated', session: await gate.em.findOneOrFail(SessionSchema, { id }) };
}
