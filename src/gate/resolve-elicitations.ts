import { z } from 'zod';
import { elicitationActions, ElicitationSchema, statusOf, type Elicitation, type ElicitationAction } from '../entities/elicitation.entity.ts';
import { isElicitationId, type ElicitationId, type SessionId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { readRows } from '../entities/rows.ts';
import { lineageOf, SessionSchema } from '../entities/session.entity.ts';
import { appendAudit } from './append-audit.ts';
import { alreadyResolved, repeats, selfApproval } from './may-resolve.ts';
import { contentIssues } from './elicitation-form.ts';
import type { Gate } from './gate.ts';
import { parse, prose } from './input.ts';
import { invalidInput, notFound, type AlreadyResolved, type Forbidden, type InputIssue, type InvalidInput, type NotFound } from './outcome.ts';
import { readVisible } from './read-visible.ts';
import { afterwards } from './resolve-elicitation.ts';
import { lockSession } from './session-row.ts';
import { settleByPerson, type Settled } from './settle-by-person.ts';
import type { Resolution } from './settle.ts';
import { visible } from './visible.ts';

export interface ResolveElicitationsInput {
  readonly ids: readonly string[];
  readonly action: ElicitationAction;
  readonly comment?: string | null | undefined;
}

export type ResolveElicitationsOutcome =
  | { readonly kind: 'resolved'; readonly elicitations: readonly Elicitation[] }
  | InvalidInput
  | NotFound
  | Forbidden
  | AlreadyResolved;

const idsMax = 500;

const answer = z.object({
  ids: z.array(z.string()).min(1, 'must name at least one elicitation').max(idsMax, `must name at most ${idsMax}`),
  action: z.enum(elicitationActions),
  comment: prose.nullish(),
});

/** One answer to many: all of them, in one transaction, or none. The offending ids are named. The same answer by the same principal is the same resolution. */
export async function resolveElicitations(gate: Gate, input: ResolveElicitationsInput): Promise<ResolveElicitationsOutcome> {
  const parsed = parse(answer, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const ids = [...new Set(parsed.value.ids)] as ElicitationId[];
  const { action, comment } = parsed.value;
  const found = new Map((await readVisible(gate, ElicitationSchema, { ids: ids.filter(isElicitationId), conditions: visible.ofSessions(gate) })).map((elicitation) => [elicitation.id, elicitation]));
  const missing = ids.filter((id) => !found.has(id));
  if (missing[0] !== undefined) return { ...notFound('elicitation', missing[0]), message: `Nothing is decided: there is no elicitation ${missing.map((id) => JSON.stringify(id.slice(0, 64))).join(', ')}.` };
  const elicitations = ids.flatMap((id) => found.get(id) ?? []);
  const resolution: Resolution = { action, content: null, comment: gate.masking.text(comment?.trim() ?? '') || null, editedArguments: null, resolvedBy: gate.principal };
  if (elicitations.every((elicitation) => elicitation.settledAt && repeats(elicitation, resolution))) return { kind: 'resolved', elicitations };
  const refusal = () => refusalOf(gate, elicitations, { ids: parsed.value.ids, action });
  const refused = await refusal();
  if (refused) return refused;
  const settled = await settleAll(gate, elicitations, resolution);
  if (settled instanceof Lost) {
    gate.views.forget(settled.elicitation.session); // its row may say more
    return (await refusal()) ?? namedAsResolved(gate, [settled.elicitation]);
  }
  for (const one of settled) await afterwards(gate, one);
  return { kind: 'resolved', elicitations: await readRows(gate, ElicitationSchema, { id: { $in: ids } }) };
}

/** Someone was first, or the caller evaluates on the session by now: the whole transaction is undone. */
class Lost extends Error {
  readonly elicitation: Elicitation;

  constructor(elicitation: Elicitation) {
    super(`${elicitation.id} cannot be settled any more.`);
    this.elicitation = elicitation;
  }
}

async function settleAll(gate: Gate, elicitations: readonly Elicitation[], resolution: Resolution): Promise<Settled[] | Lost> {
  const now = gate.now();
  const { inLockOrder, locks } = await lockOrderOf(gate, elicitations);
  try {
    return await inTransaction(gate.em, async (tx) => {
      const settled: Settled[] = [];
      for (const id of locks) await lockSession(id, tx); // all of them before anything that comes after sessions
      for (const elicitation of inLockOrder) {
        const result = await settleByPerson({ gate, tx, now }, elicitation, { resolution, edit: null });
        if (typeof result === 'string') throw new Lost(elicitation);
        settled.push(result);
      }
      await appendAudit({ em: tx }, settled.map(({ note }) => note));
      return settled;
    });
  } catch (error) {
    if (error instanceof Lost) return error;
    throw error;
  }
}

/** The elicitations by the paths of their sessions, which is how sessions are locked, and the sessions with the roots of their trees. */
async function lockOrderOf(gate: Gate, elicitations: readonly Elicitation[]): Promise<{ inLockOrder: Elicitation[]; locks: SessionId[] }> {
  const sessions = await readRows(gate, SessionSchema, { id: { $in: [...new Set(elicitations.map(({ session }) => session))] } });
  const paths = new Map(sessions.map(({ id, path }) => [id, path]));
  const keyOf = ({ session, id }: Elicitation) => `${paths.get(session) ?? session} ${id}`;
  const locks = new Set(sessions.toSorted((one, other) => (one.path < other.path ? -1 : 1)).flatMap(({ id, path }) => [lineageOf({ path })[0] ?? id, id]));
  return { inLockOrder: elicitations.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)), locks: [...locks] };
}

async function refusalOf(gate: Gate, elicitations: readonly Elicitation[], { ids, action }: { ids: readonly string[]; action: ElicitationAction }): Promise<InvalidInput | Forbidden | AlreadyResolved | null> {
  const forms: InputIssue[] = [];
  for (const elicitation of elicitations) {
    const forbidden = await selfApproval(gate, elicitation, action);
    if (forbidden) return { ...forbidden, message: `Nothing is decided. ${elicitation.id}: ${forbidden.message}` };
    if (action === 'ACCEPT' && contentIssues(elicitation.requestedSchema, null).length > 0) {
      forms.push({ path: ['ids', String(ids.indexOf(elicitation.id))], message: `${elicitation.id} asks for a form: accept it alone` });
    }
  }
  if (forms.length > 0) return invalidInput(forms);
  const now = gate.now();
  const gone = elicitations.filter((elicitation) => statusOf(elicitation, now) !== 'PENDING');
  return gone.length > 0 ? namedAsResolved(gate, gone) : null;
}

async function namedAsResolved(gate: Gate, gone: readonly Elicitation[]): Promise<AlreadyResolved> {
  const [first] = await readRows(gate, ElicitationSchema, { id: { $in: gone.map(({ id }) => id) } });
  if (!first) throw new Error('An elicitation is gone.');
  return { ...alreadyResolved(first), message: `Nothing is decided: ${gone.map(({ id }) => id).join(', ')} ${gone.length > 1 ? 'are' : 'is'} resolved already.` };
}
