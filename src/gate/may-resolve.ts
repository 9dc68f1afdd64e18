import { isDeepStrictEqual } from 'node:util';
import { statusOf, type Elicitation, type ElicitationAction } from '../entities/elicitation.entity.ts';
import type { Role } from '../entities/role.ts';
import { readRowOrFail } from '../entities/rows.ts';
import { SessionSchema, type Session } from '../entities/session.entity.ts';
import { identitiesOf } from './access.ts';
import type { Gate } from './gate.ts';
import type { AlreadyResolved, Forbidden } from './outcome.ts';
import type { Resolution } from './settle.ts';
import { visibleName } from './visible-text.ts';

type Action = ElicitationAction | null | undefined;

const acceptingRoles: readonly Role[] = ['APPROVER', 'ADMIN'];

/** Nobody accepts on a session on which they evaluate, under whatever login, but for the single local user. Declining and cancelling they may. */
export function approvesItself({ evaluators }: Pick<Session, 'evaluators'>, { action, gate }: { action: Action; gate: Gate }): boolean {
  return !gate.access.acceptsOwn && isOwnApproval({ evaluators }, { action, gate });
}

/** Whether who accepts evaluates on the session as well, under whatever login. */
export function isOwnApproval({ evaluators }: Pick<Session, 'evaluators'>, { action, gate }: { action: Action; gate: Gate }): boolean {
  return action === 'ACCEPT' && identitiesOf(gate).some((id) => evaluators.includes(id));
}

/** Why the caller cannot give this answer; null: it can. What counts is the look at the locked session, in the transaction that decides. */
export function refusalToResolve(gate: Gate, session: Pick<Session, 'evaluators'>, action: Action): string | null {
  if (action === 'ACCEPT' && !gate.access.roles.some((role) => acceptingRoles.includes(role))) return 'Accepting takes the role APPROVER or ADMIN.';
  if (approvesItself(session, { action, gate })) return 'You evaluate on this session, so you cannot accept what it asks for: another person must.';
  return null;
}

/** To say so early. What counts is the look at the locked session, in the transaction that decides. */
export async function selfApproval(gate: Gate, { session: id }: Elicitation, action: Action): Promise<Forbidden | null> {
  if (action !== 'ACCEPT') return null; // spares the read
  const view = gate.views.peek(id);
  if (view && refusalToResolve(gate, view, action) === null) return null; // so does this; a view may be ahead of the row, so it refuses nothing
  const session = await readRowOrFail(gate, SessionSchema, { id });
  const message = refusalToResolve(gate, session, action);
  return message === null ? null : { kind: 'forbidden', message };
}

/** The same answer by the same principal is the same resolution. */
export function repeats(elicitation: Elicitation, resolution: Resolution): boolean {
  return (
    elicitation.action === resolution.action &&
    elicitation.resolvedBy?.id === resolution.resolvedBy?.id &&
    elicitation.resolvedBy?.kind === resolution.resolvedBy?.kind &&
    isDeepStrictEqual(elicitation.editedArguments ?? null, plain(resolution.editedArguments ?? null)) &&
    isDeepStrictEqual(elicitation.content ?? null, plain(resolution.content ?? null))
  );
}

/** As the database gives it back: GraphQL's objects have no prototype. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function alreadyResolved(elicitation: Elicitation): AlreadyResolved {
  const by = elicitation.resolvedBy ? ` by ${visibleName(elicitation.resolvedBy.name)}` : '';
  const status = statusOf(elicitation, elicitation.settledAt ?? elicitation.expiresAt);
  const at = (elicitation.settledAt ?? elicitation.expiresAt).toISOString();
  return { kind: 'alreadyResolved', message: `This elicitation was ${status.toLowerCase()}${by} at ${at}.`, elicitation };
}
