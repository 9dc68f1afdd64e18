import type { SqlEntityManager } from '@mikro-orm/sql';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import type { SessionId } from '../entities/id.ts';
import { system } from '../entities/principal.ts';
import type { Decision } from '../policy/evaluate.ts';
import { announce } from './announce.ts';
import { denialOf } from './denial.ts';
import type { Happening } from './events.ts';
import { callerOf } from './gather-facts.ts';
import type { Gate } from './gate.ts';
import { judgeEvent } from './judge-event.ts';
import { lockSession, written, writeSession, writesNothing } from './session-row.ts';
import { awaiting, close, elicitationOf, decide, decidedHappenings, settled, type Fate } from './settle.ts';

/** After an accept has written: judges what still waits in the session again, until no more of it is settled. Nobody is asked twice. */
export async function judgeSiblings(gate: Gate, sessionId: SessionId): Promise<void> {
  for (let again = true; again; ) {
    again = false;
    const waiting = await gate.em.find(EvaluationSchema, { session: sessionId, status: 'AWAITING_APPROVAL' }, { orderBy: { id: 'asc' } });
    for (const evaluation of waiting) if (await judgeAgain(gate, evaluation)) again = true;
  }
}

const attemptsMax = 20;

/** True: it no longer asks, and is settled. */
async function judgeAgain(gate: Gate, evaluation: Evaluation): Promise<boolean> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const view = await gate.views.load(evaluation.session, gate.em);
    if (!view || view.ended) return false;
    const sessionVersion = view.version;
    const decision = judgeEvent(view, evaluation.event, { caller: callerOf(evaluation) });
    if (decision.verdict === 'ASK') return false;
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
