import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import { isSessionId, type SessionId } from '../entities/id.ts';
import { readRow } from '../entities/rows.ts';
import { phaseOf } from '../policy/event.ts';
import { OpenQuestion } from '../policy/model-question.ts';
import { announce } from './announce.ts';
import { approvedMeanwhile } from './approved-meanwhile.ts';
import type { Call } from './call.ts';
import type { Entry } from './commit.ts';
import { Consultation } from './consultation.ts';
import { draftEntry } from './draft-entry.ts';
import { forgetWritten } from './forget-written.ts';
import type { Gate } from './gate.ts';
import { joinEvaluators } from './join-evaluators.ts';
import { judgeEvent } from './judge-event.ts';
import { judgeAgain } from './judge-siblings.ts';
import { parse, shortText } from './input.ts';
import { conflict, notFound, tooManyPending, type Conflict, type IdempotencyKeyReused, type InvalidInput, type NotFound, type TooManyPending } from './outcome.ts';
import { attach, park, startGrace } from './park.ts';
import { parseEvent, type PolicyEventInput } from './parse-event.ts';
import type { Place } from './pending-places.ts';
import { ready, type Ready } from './ready.ts';
import { storedKey } from './stored-key.ts';
import { unmaskedAnswer } from './unmasked-answer.ts';
import { seesAll, seesSession } from './visible.ts';

export interface EvaluatePolicyInput {
  readonly sessionId: string;
  readonly event: PolicyEventInput;
  readonly idempotencyKey?: string | null | undefined;
  readonly waitSeconds?: number | null | undefined;
  readonly model?: string | null | undefined;
  readonly harness?: string | null | undefined;
}

export type EvaluatePolicyOutcome =
  | { readonly kind: 'evaluated'; readonly evaluation: Evaluation }
  | InvalidInput
  | NotFound
  | Conflict
  | IdempotencyKeyReused
  | TooManyPending;

const waitSecondsMax = 31_536_000;

const callFields = z.object({
  idempotencyKey: shortText.nullish(),
  waitSeconds: z.number().int().min(0, 'must not be negative').max(waitSecondsMax, 'must be at most a year, 31,536,000 seconds').nullish(),
  model: shortText.nullish(),
  harness: shortText.nullish(),
});

/** The only path to a verdict. An ASK holds the call until it is decided, or for `waitSeconds`. */
export async function evaluatePolicy(gate: Gate, input: EvaluatePolicyInput): Promise<EvaluatePolicyOutcome> {
  if (!isSessionId(input.sessionId)) return notFound('session', input.sessionId);
  const fields = parse(callFields, input);
  if (fields.kind === 'invalidInput') return fields;
  const event = parseEvent(input.event);
  if (event.kind === 'invalidInput') return event;
  const { idempotencyKey, waitSeconds, model, harness } = fields.value;
  if (!(await isVisible(gate, input.sessionId))) return notFound('session', input.sessionId);
  const measured = gate.instruments.evaluating(phaseOf(event.value));
  const call: Call = {
    sessionId: input.sessionId,
    event: event.value,
    masked: gate.masking.event(event.value),
    idempotencyKey: storedKey(gate, idempotencyKey ?? null),
    waitSeconds: waitSeconds ?? null,
    caller: { model: model == null ? null : gate.masking.text(model), harness: harness == null ? null : gate.masking.text(harness) },
    measured,
  };
  try {
    const outcome = await judge(gate, call);
    measured.ended(outcome.kind === 'evaluated' ? outcome.evaluation : null);
    return outcome;
  } catch (error) {
    measured.ended('failed');
    throw error;
  }
}

/** Of the cached view: this is in the path of every event. */
async function isVisible(gate: Gate, id: SessionId): Promise<boolean> {
  if (seesAll(gate.access)) return true; // whether it is there is seen later
  const view = gate.views.peek(id) ?? (await gate.views.load(id, gate.em));
  return view !== undefined && seesSession(gate.access, view);
}

/** Where several servers judge one session, each of their commits makes the others judge again. */
const attemptsMax = 100;
const attemptsAtOnce = 5;

async function judge(gate: Gate, call: Call): Promise<EvaluatePolicyOutcome> {
  const consultation = new Consultation(gate, gate.signal);
  for (let attempt = 0; attempt < attemptsMax + consultation.count; attempt += 1) {
    if (attempt > attemptsAtOnce) await setTimeout(Math.random() * attempt); // so that those who stand in each other's way part
    const known = await knownByKey(gate, call);
    if (known) return known;
    const found = await call.measured.step('read', () => ready(gate, call.sessionId, call.event));
    if (!found) return notFound('session', call.sessionId);
    const { view } = found;
    if (view.ended) return conflict(`The session ${view.id} has ended: it takes no more evaluations.`);

    const { version } = view;
    const judging = call.measured.step('judge', () => judgeEvent(found, call.event, { caller: call.caller, consultation }));
    const decision = judging instanceof Promise ? await judging : judging;
    if (judging instanceof Promise && (view.version !== version || gate.views.peek(view.id) !== view)) continue;
    if (decision instanceof OpenQuestion) {
      if ((await consultation.ask(decision.question)) === 'answered') continue; // on the session as it is now
      return conflict('The call or the server ended before the model had answered. Nothing is decided: call again.');
    }
    const place = decision.verdict === 'ASK' ? gate.pending.take(gate) : null;
    if (place?.kind === 'tooManyPending') return place;
    try {
      const entry = await draftEntry(gate, view, { call, decision });
      if (!entry) continue;
      gate.originals.keep(entry.evaluation, { event: call.event, data: decision.verdict === 'DENY' ? null : decision.data });
      const evaluation = await commitAndWait(gate, found, { entry, place, call });
      if (evaluation) return unmaskedAnswer(gate, evaluation, call);
      gate.originals.forget(entry.evaluation.id);
    } finally {
      place?.free();
    }
  }
  throw new Error(`The session ${call.sessionId} changed under each of ${attemptsMax} attempts to judge an event.`);
}

/** The same key, session and event is the same evaluation, across reconnects and restarts. */
async function knownByKey(gate: Gate, call: Call): Promise<EvaluatePolicyOutcome | null> {
  const { sessionId, event, idempotencyKey, waitSeconds } = call;
  if (idempotencyKey === null) return null;
  const evaluation = await readRow(gate, EvaluationSchema, { session: sessionId, idempotencyKey });
  if (!evaluation) return null;
  if ((evaluation.digest ?? gate.digests.ofEvent(sessionId, evaluation.event)) !== gate.digests.ofEvent(sessionId, event)) {
    return { kind: 'idempotencyKeyReused', message: 'This idempotency key stands for another event of the session.', evaluation };
  }
  if (evaluation.status === 'AWAITING_APPROVAL' && gate.waiting.isFull) return tooManyPending(gate.settings.waitingMax, 'server');
  await joinEvaluators(gate, sessionId);
  gate.originals.keep(evaluation, { event, data: gate.originals.find(evaluation.id)?.data ?? null });
  return unmaskedAnswer(gate, await attach(gate, evaluation, waitSeconds), call);
}

/** Null: the session moved on before the commit; nothing was written. */
async function commitAndWait(gate: Gate, found: Ready, { entry, place, call: { measured, waitSeconds } }: { entry: Entry; place: Place | null; call: Call }): Promise<Evaluation | null> {
  const { view } = found;
  const { evaluation, elicitation } = entry;
  place?.holdFor(evaluation.id);
  const seat = elicitation ? gate.waiting.enter(evaluation.id) : null; // before the commit: no wake can be missed
  try {
    if ((await measured.step('commit', () => gate.commits.submit(entry))) === 'conflict') {
      gate.views.discard(view);
      return null;
    }
    measured.stored(evaluation);
    place?.keep();
    if (entry.session) view.committedVersion = entry.session.next.version;
    if (entry.beyond) forgetWritten(gate, entry.beyond);
    if (!seat || !elicitation) return evaluation;
    const { kind, row } = elicitation;
    const isSettled = await needsNobody(gate, found, evaluation);
    if (kind === 'new' && !isSettled) await announce(gate, view, [{ kind: 'elicitationRequested', sessionId: view.id, elicitationId: row.id }]);
    return await measured.step('wait', () => park(gate, evaluation, { seat, waitSeconds, expiresAt: row.expiresAt }));
  } catch (error) {
    gate.views.discard(view);
    if (seat?.leave()) await startGrace(gate, evaluation.id); // stored or not: its caller is told of the failure and holds it no more
    throw error;
  } finally {
    seat?.leave();
  }
}

/** Whether what was just stored asks for something that was approved in the same moment, in another session, and so is settled already. */
async function needsNobody(gate: Gate, found: Ready, evaluation: Evaluation): Promise<boolean> {
  if (!(await approvedMeanwhile(gate, found))) return false;
  gate.views.forget(evaluation.session);
  return (await judgeAgain(gate, evaluation, new Consultation(gate, null))) === true;
}
