import { z } from 'zod';
import { elicitationActions, ElicitationSchema, type Elicitation, type ElicitationAction } from '../entities/elicitation.entity.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { readRow, readRowOrFail } from '../entities/rows.ts';
import { announce } from './announce.ts';
import { appendAudit } from './append-audit.ts';
import { alreadyResolved, plain, repeats, selfApproval } from './may-resolve.ts';
import { contentIssues } from './elicitation-form.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { jsonObject, parse, prose } from './input.ts';
import { judgeEdit, type JudgedEdit } from './judge-edit.ts';
import { invalidInput, notFound, type AlreadyResolved, type EditRefused, type Forbidden, type InvalidInput, type NotFound, type StaleElicitation } from './outcome.ts';
import { forgetWritten } from './forget-written.ts';
import { keepRewritten } from './rewritten.ts';
import { judgeSiblings } from './judge-siblings.ts';
import { settleByPerson, type Settled } from './settle-by-person.ts';
import type { Resolution } from './settle.ts';

export interface ResolveElicitationInput {
  readonly elicitationId: string;
  readonly action: ElicitationAction;
  readonly expectedDigest?: string | null | undefined;
  readonly content?: unknown;
  readonly comment?: string | null | undefined;
  readonly editedArguments?: unknown;
}

export type ResolveElicitationOutcome =
  | { readonly kind: 'resolved'; readonly elicitation: Elicitation }
  | InvalidInput
  | NotFound
  | Forbidden
  | AlreadyResolved
  | StaleElicitation
  | EditRefused;

const answer = z
  .object({ action: z.enum(elicitationActions), content: jsonObject.nullish(), comment: prose.nullish(), editedArguments: jsonObject.nullish() })
  .refine(({ action, content }) => action === 'ACCEPT' || !content, { path: ['content'], error: 'goes with ACCEPT only' })
  .refine(({ action, editedArguments }) => action === 'ACCEPT' || !editedArguments, { path: ['editedArguments'], error: 'goes with ACCEPT only' });

const attemptsMax = 20;

/** A person decides. Of any number of racing callers one wins, by one conditional update; the others are told who. */
export async function resolveElicitation(gate: Gate, input: ResolveElicitationInput): Promise<ResolveElicitationOutcome> {
  const id = input.elicitationId;
  const parsed = parse(answer, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const { action, content = null, comment = null, editedArguments = null } = parsed.value;
  const { masking } = gate;
  const resolution: Resolution = {
    action,
    content: masking.json(content).value,
    comment: comment === null ? null : masking.text(comment.trim()) || null,
    editedArguments: masking.json(editedArguments).value,
    resolvedBy: gate.principal,
  };

  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const elicitation = await find.elicitation(gate, id);
    if (!elicitation) return notFound('elicitation', id);
    const refusal = await refusalOf(gate, elicitation, { resolution, content, expectedDigest: input.expectedDigest ?? null });
    if (refusal) return refusal;
    if (elicitation.settledAt) return repeats(elicitation, resolution) ? { kind: 'resolved', elicitation } : alreadyResolved(elicitation);

    const edit = editedArguments && (await judgeEdit(gate, elicitation, editedArguments));
    if (edit && edit.kind !== 'judged') {
      if (await isUnsettled(gate, elicitation)) return edit;
      continue; // somebody decided while the edit was judged: that is what to say
    }
    const settled = await settle(gate, elicitation, { resolution, edit });
    if (settled) return settled;
    gate.views.forget(elicitation.session); // it may be ahead of the row, by a commit that is still to come
  }
  throw new Error(`The session of ${id} changed under each of ${attemptsMax} attempts to resolve it.`);
}

async function isUnsettled(gate: Gate, { id }: Elicitation): Promise<boolean> {
  return (await readRow(gate, ElicitationSchema, { id, settledAt: null })) !== null;
}

interface Answer {
  readonly resolution: Resolution;
  readonly edit: JudgedEdit | null;
}

/** Null: the session moved on after the edit was judged or the right to accept was looked up; look again. */
async function settle(gate: Gate, elicitation: Elicitation, { resolution, edit }: Answer): Promise<ResolveElicitationOutcome | null> {
  const now = gate.now();
  if (edit) keepRewritten(gate, edit.evaluation, edit.rewritten); // before the commit: whoever waits may look at once
  const result = await inTransaction(gate.em, async (tx) => {
    const settled = await settleByPerson({ gate, tx, now }, elicitation, { resolution, edit });
    if (typeof settled !== 'string') await appendAudit({ em: tx }, [settled.note]);
    return settled;
  });
  if (result === 'movedOn' || result === 'forbidden') return null;
  if (result === 'lost') {
    const winner = await readRowOrFail(gate, ElicitationSchema, { id: elicitation.id });
    return repeats(winner, resolution) ? { kind: 'resolved', elicitation: winner } : alreadyResolved(winner);
  }
  await afterwards(gate, result);
  return { kind: 'resolved', elicitation: { ...elicitation, ...plain(resolution), settledAt: now } };
}

/** Once the resolution is committed: tell whoever waits, and spare the siblings that its writes have settled. */
export async function afterwards(gate: Gate, settled: Settled): Promise<void> {
  forgetWritten(gate, settled);
  await announce(gate, settled, settled.happenings);
  try {
    await judgeSiblings(gate, settled);
  } catch (error) {
    gate.log.error({ err: error }, 'what waits beside an accepted call could not be judged again; it waits on'); // the decision counts
  }
}

interface Asked {
  readonly resolution: Resolution;
  /** Unmasked. */
  readonly content: Resolution['content'];
  readonly expectedDigest: string | null;
}

async function refusalOf(gate: Gate, elicitation: Elicitation, { resolution, content, expectedDigest }: Asked): Promise<InvalidInput | Forbidden | StaleElicitation | null> {
  const forbidden = await selfApproval(gate, elicitation, resolution.action);
  if (forbidden) return forbidden;
  if (expectedDigest !== null && expectedDigest !== elicitation.digest) {
    return { kind: 'staleElicitation', message: 'What you saw is not what this elicitation asks: nothing is decided. Look again.', elicitation };
  }
  if (resolution.editedArguments && elicitation.phase !== 'TOOL_CALL') {
    return invalidInput([{ path: ['editedArguments'], message: `goes with a TOOL_CALL only; this elicitation is about a ${elicitation.phase}` }]);
  }
  const issues = resolution.action === 'ACCEPT' ? contentIssues(elicitation.requestedSchema, content ?? null) : [];
  return issues.length > 0 ? invalidInput(issues) : null;
}
