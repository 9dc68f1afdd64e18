import type { SqlEntityManager } from '@mikro-orm/sql';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import type { EvaluationId, SessionId } from '../entities/id.ts';
import { system } from '../entities/principal.ts';
import type { Decision } from '../policy/evaluate.ts';
import { OpenQuestion, type ModelQuestion } from '../policy/model-question.ts';
import { announce } from './announce.ts';
import { Consultation } from './consultation.ts';
import { denialOf } from './denial.ts';
import type { Happening } from './events.ts';
import { callerOf } from './gather-facts.ts';
import type { Gate } from './gate.ts';
import { judgeEvent } from './judge-event.ts';
import { ready } from './ready.ts';
import { lockSession, written, writeSession, writesNothing } from './session-row.ts';
import { awaiting, close, elicitationOf, decide, decidedHappenings, settled, type Fate } from './settle.ts';

/**
 * After an accept has written: judges what still waits in the session again, until no more of it is settled. Nobody is asked twice. Where
 * a model must be asked, whoever accepted does not wait for it.
 */
export async function judgeSiblings(gate: Gate, sessionId: SessionId): Promise<void> {
  const consultations = new Map<EvaluationId, Consultation>();
  const open = await judgeWaiting(gate, sessionId, consultations);
  if (open.length > 0) gate.later(() => askAndJudge(gate, sessionId, { consultations, open }));
}

type Consultations = Map<EvaluationId, Consultation>;

interface Asking {
  readonly consultation: Consultation;
  readonly question: ModelQuestion;
}

async function askAndJudge(gate: Gate, sessionId: SessionId, { consultations, open }: { consultations: Consultations; open: readonly Asking[] }): Promise<void> {
  while (open.length > 0) {
    const asked = await Promise.all(open.map(({ consultation, question }) => consultation.ask(question)));
    if (asked.includes('stopped')) return;
    open = await judgeWaiting(gate, sessionId, consultations);
  }
}

/** Gives what the model is still to be asked. */
async function judgeWaiting(gate: Gate, sessionId: SessionId, consultations: Consultations): Promise<readonly Asking[]> {
  for (;;) {
    let again = false;
    const open: Asking[] = [];
    const waiting = await gate.em.find(EvaluationSchema, { session: sessionId, status: 'AWAITING_APPROVAL' }, { orderBy: { id: 'asc' } });
    for (const evaluation of waiting) {
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

/** True: it no longer asks, and is settled. */
async function judgeAgain(gate: Gate, evaluation: Evaluation, consultation: Consultation): Promise<boolean | OpenQuestion> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const found = await ready(gate, evaluation.session, evaluation.event);
    if (!found || found.view.ended) return false;
    const { view } = found;
    const sessionVersion = view.version;
    const decision = judgeEvent(found, evaluation.event, { caller: callerOf(evaluation), consultation });
    if (decision instanceof OpenQuestion) return decision;
    if (decision.verdict === 'ASK' || consultation.hasFailed) return false; // a model that fails must not take a person's decision
    const happenings = await gate.em.transactional((tx) => settleByPolicy({ gate, tx, sessionVersion }, evaluation, decision));
    if (happenings === 'movedOn') {
      gate.views.discard(view); // it may be ahead of the row, by a commit that is still to come
      continue;
    }
    if (happenings.length === 0) return false;
    gate.views.forget(view.id);
    await announce(gate, view, happenings);
    return true;
  }
  return false; // it keeps waiting: a person still decides it
}

interface Transaction {
  readonly gate: Gate;
  readonly tx: SqlEntityManager;
  /** The version that was judged on: on any other it must be judged again. */
  readonly sessionVersion: string;
}

async function settleByPolicy({ gate, tx, sessionVersion }: Transaction, evaluation: Evaluation, decision: Exclude<Decision, { verdict: 'ASK' }>): Promise<Happening[] | 'movedOn'> {
  const now = gate.now();
  const session = await lockSession(evaluation.session, tx);
  if (session.version !== sessionVersion) return 'movedOn';
  const elicitation = await elicitationOf(evaluation, tx);
  if (elicitation.settledAt || elicitation.expiresAt <= now) return [];
  const decided = await decide([evaluation], { fate: fateOf(gate, evaluation, decision), now }, tx);
  if (decided.length === 0) return [];
  if (!writesNothing(decision.writes)) await writeSession(session, written(session, decision.writes), tx);
  const others = await awaiting(elicitation, tx);
  if (others.length > 0) return decidedHappenings(elicitation, decided);
  await close(elicitation, { by: system, comment: 'Another approval has settled this one: the policies no longer ask.', now }, tx);
  return settled(elicitation, decided);
}

function fateOf(gate: Gate, evaluation: Evaluation, decision: Exclude<Decision, { verdict: 'ASK' }>): Fate {
  return decision.verdict === 'ALLOW' ? { verdict: 'ALLOW', decidedBy: 'POLICY', data: decision.data } : denialOf(gate, evaluation, decision);
}
