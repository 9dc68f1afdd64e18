import type { SqlEntityManager } from '@mikro-orm/sql';
import { dayOf } from '../entities/daily-cost.entity.ts';
import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { EvaluationId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { system } from '../entities/principal.ts';
import type { Decision } from '../policy/pass.ts';
import type { Writes } from '../policy/write-ledger.ts';
import { OpenQuestion, type ModelQuestion } from '../policy/model-question.ts';
import { StateTypeError } from '../policy/state.ts';
import { announce } from './announce.ts';
import { appendAudit } from './append-audit.ts';
import { resolvedNote, settledByPolicyNote } from './audit-notes.ts';
import { Consultation } from './consultation.ts';
import { denialOf } from './denial.ts';
import type { Happening } from './events.ts';
import { forgetWritten } from './forget-written.ts';
import { callerOf } from './gather-facts.ts';
import type { Gate } from './gate.ts';
import { lockGround, sow, store, unsown, type Ground, type Sown } from './ground.ts';
import { judgeEvent } from './judge-event.ts';
import { maskedDecision } from './masked-decision.ts';
import { isStillSo, type JudgedUnder } from './policy-epoch.ts';
import { ready } from './ready.ts';
import { keepRewritten, rewritten, type Rewritten } from './rewritten.ts';
import type { Reach } from './route-writes.ts';
import { lockSession, writesNothing } from './session-row.ts';
import { awaiting, close, elicitationOf, decide, decidedHappenings, settled, type Fate } from './settle.ts';
import { waitingWithin, type Written } from './waiting-within.ts';

/**
 * After an accept has written: judges again what still waits wherever that counts, until no more of it is settled. Nobody is asked twice.
 * Where a model must be asked, whoever accepted does not wait for it.
 */
export async function judgeSiblings(gate: Gate, written: Written): Promise<void> {
  const consultations = new Map<EvaluationId, Consultation>();
  const open = await judgeWaiting(gate, written, consultations);
  if (open.length > 0) gate.later(() => askAndJudge(gate, written, { consultations, open }));
}

type Consultations = Map<EvaluationId, Consultation>;

interface Asking {
  readonly consultation: Consultation;
  readonly question: ModelQuestion;
}

async function askAndJudge(gate: Gate, written: Written, { consultations, open }: { consultations: Consultations; open: readonly Asking[] }): Promise<void> {
  while (open.length > 0) {
    const asked = await Promise.all(open.map(({ consultation, question }) => consultation.ask(question)));
    if (asked.includes('stopped')) return;
    open = await judgeWaiting(gate, written, consultations);
  }
}

/** Gives what the model is still to be asked. */
async function judgeWaiting(gate: Gate, written: Written, consultations: Consultations): Promise<readonly Asking[]> {
  for (;;) {
    let again = false;
    const open: Asking[] = [];
    for (const evaluation of await waitingWithin(gate, written)) {
      const consultation = consultations.get(evaluation.id) ?? new Consultation(gate, null);
      consultations.set(evaluation.id, consultation);
      const settled = await judgeAgain(gate, evaluation, consultation);
      if (settled instanceof OpenQuestion) open.push({ consultation, question: settled.question });
      else if (settled) again = true;
    }
    if (!again) return open;
  }
}

const attemptsMax = 20;

/**
 * True: it no longer asks, and is settled. An event that is stored masked and that memory has no more keeps waiting: what is hidden might
 * be what a policy objects to.
 */
export async function judgeAgain(gate: Gate, evaluation: Evaluation, consultation: Consultation): Promise<boolean | OpenQuestion> {
  const event = evaluation.digest === null ? evaluation.event : gate.originals.find(evaluation.id)?.event;
  if (!event) return false;
  const { secrets } = gate.masking.event(event);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const found = await ready(gate, evaluation.session, event);
    if (!found || found.view.ended) return false;
    const { view } = found;
    const { version, epoch } = view;
    const decision = await judgeEvent(found, event, { caller: callerOf(evaluation), consultation });
    if (decision instanceof OpenQuestion) return decision;
    const settling = settlingBy(gate, evaluation, { decision, secrets });
    if (!settling || consultation.hasFailed) return false; // a model that fails must not take a person's decision
    const outcome = await inTransaction(gate.em, (tx) => settleByPolicy({ gate, tx, judgedUnder: { version, epoch } }, evaluation, settling));
    if (outcome === 'movedOn') {
      gate.views.discard(view); // it may be ahead of the row, by a commit that is still to come
      continue;
    }
    if (!outcome) return false;
    gate.views.forget(view.id);
    forgetWritten(gate, { lineage: view.lineage, reach: outcome.reach });
    await announce(gate, view, outcome.happenings);
    return true;
  }
  return false; // it keeps waiting: a person still decides it
}

interface Transaction {
  readonly gate: Gate;
  readonly tx: SqlEntityManager;
  /** Under any other it must be judged again. */
  readonly judgedUnder: JudgedUnder;
}

/** What a decision without a question brings about. */
interface Settling {
  readonly fate: Fate;
  /** Null: nothing is allowed. */
  readonly rewrite: Rewritten | null;
  readonly writes: Writes;
}

/** Null: it asks. */
function settlingBy(gate: Gate, evaluation: Evaluation, { decision, secrets }: { decision: Decision; secrets: readonly string[] }): Settling | null {
  const { decision: masked } = maskedDecision(gate, decision, secrets);
  const { writes } = masked;
  if (masked.verdict === 'DENY') return { fate: denialOf(gate, evaluation, masked), rewrite: null, writes };
  if (decision.verdict !== 'ALLOW') return null;
  const rewrite = rewritten(gate, evaluation, decision.data);
  return { fate: { verdict: 'ALLOW', decidedBy: 'POLICY', row: rewrite.row }, rewrite, writes };
}

interface SettledByPolicy {
  readonly happenings: readonly Happening[];
  readonly reach: Reach;
}

/** Null: it was settled otherwise, or its time is up. */
async function settleByPolicy({ gate, tx, judgedUnder }: Transaction, evaluation: Evaluation, { fate, rewrite, writes }: Settling): Promise<SettledByPolicy | null | 'movedOn'> {
  const now = gate.now();
  if (rewrite) keepRewritten(gate, evaluation, rewrite);
  const ground = writesNothing(writes) ? { session: await lockSession(evaluation.session, tx), root: null } : await lockGround(evaluation.session, tx);
  if (!(await isStillSo(judgedUnder, ground.session, tx))) return 'movedOn';
  const elicitation = await elicitationOf(evaluation, tx);
  if (elicitation.settledAt || elicitation.expiresAt <= now) return null;
  const sown = sownBy(writes, ground, now);
  if (sown === 'unfit') return 'movedOn';
  const decided = await decide([evaluation], { fate, now }, tx);
  if (decided.length === 0) return null;
  await store(ground, sown, tx);
  const { reach } = sown;
  const others = await awaiting(elicitation, tx);
  const closed = others.length > 0 ? null : await close(elicitation, { by: system, comment: 'Another approval has settled this one: the policies no longer ask.', now }, tx);
  await appendAudit({ em: tx }, [settledByPolicyNote(evaluation, fate, now), ...(closed ? [resolvedNote(elicitation, closed, { now })] : [])]);
  return { happenings: closed ? settled(elicitation, decided) : decidedHappenings(elicitation, decided), reach };
}

/** `unfit`: the root of the tree has another state than was judged on. */
function sownBy(writes: Writes, ground: Ground, now: Date): Sown | 'unfit' {
  try {
    return writesNothing(writes) ? unsown(ground) : sow(unsown(ground), { writes, day: dayOf(now) });
  } catch (error) {
    if (error instanceof StateTypeError) return 'unfit';
    throw error;
  }
}
