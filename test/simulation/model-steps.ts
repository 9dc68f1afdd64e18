import { localUser } from '../../src/entities/principal.ts';
import {
  after,
  at,
  graceSeconds,
  judge,
  lineage,
  newSession,
  type Action,
  type Judged,
  type Model,
  type ModelCaller,
  type ModelElicitation,
  type ModelEvaluation,
  type ModelSession,
  type Writes,
} from './model.ts';
import type { Command } from './rules.ts';

/** How a caller waits: until decided, for a ticket, for long with a ticket, or not at all because it is gone at once. */
export const modes = ['hold', 'ticket', 'longTicket', 'leave'] as const;

export interface CallAct extends Action {
  readonly caller: number;
  readonly key: string | null;
  readonly principal: string;
  readonly mode: (typeof modes)[number];
}

export function call(model: Model, act: CallAct): void {
  const { caller: number, principal, mode, key, ...action } = act;
  const known = key === null ? undefined : model.evaluations.find((evaluation) => evaluation.session === act.session && evaluation.key === key);
  const session = at(model.sessions, act.session);
  if (known) {
    if (known.tag !== act.tag || known.tool !== act.tool || known.command !== act.command) {
      refuseCall(model, act, `idempotencyKeyReused ${known.tag}`);
      return;
    }
    evaluatesOn(session, principal); // whoever gets a verdict does, also one who takes up another's call
    take(model, known, { number, mode });
    return;
  }
  if (session.ended) {
    refuseCall(model, act, 'conflict');
    return;
  }
  const judged = judge(model, act);
  evaluatesOn(session, principal);
  const evaluation = { ...action, key, elicitation: null, withheld: judged.writes, data: null, ticket: false, abandonAt: null };
  if (judged.verdict === 'ASK') {
    const elicitation = elicitationFor(model, act, judged);
    model.evaluations.push({ ...evaluation, elicitation: elicitation.tag, status: 'AWAITING_APPROVAL', verdict: 'ASK', decidedBy: null });
  } else {
    model.evaluations.push({ ...evaluation, status: 'DECIDED', verdict: judged.verdict, decidedBy: judged.by });
    write(model, act.session, judged.writes);
  }
  take(model, at(model.evaluations, model.evaluations.length - 1), { number, mode });
}

function refuseCall(model: Model, { caller, mode }: CallAct, refusal: string): void {
  model.callers.push({ number: caller, tag: null, state: mode === 'leave' ? 'left' : refusal });
}

/** The new elicitation, or the pending one of the same checkpoint. */
function elicitationFor(model: Model, { tag, session, tool }: Action, { policies, checkpoint, timeout }: Extract<Judged, { verdict: 'ASK' }>): ModelElicitation {
  const shared = model.elicitations.find((each) => checkpoint !== null && each.session === session && each.checkpoint === checkpoint && each.status === 'PENDING');
  if (shared && !isOverdue(model, shared)) return shared;
  if (shared) expire(model, shared);
  const elicitation: ModelElicitation = { tag, session, tool, policies, checkpoint, expiresAt: model.time + timeout, status: 'PENDING', by: null, edit: null };
  model.elicitations.push(elicitation);
  return elicitation;
}

function evaluatesOn({ evaluators }: ModelSession, principal: string): void {
  if (!evaluators.includes(principal)) evaluators.push(principal);
}

/** A caller takes an evaluation up, its first or one that comes back. */
function take(model: Model, evaluation: ModelEvaluation, { number, mode }: { number: number; mode: CallAct['mode'] }): void {
  const caller: ModelCaller = { number, tag: evaluation.tag, state: 'holding' };
  model.callers.push(caller);
  if (evaluation.status === 'AWAITING_APPROVAL') {
    evaluation.abandonAt = null;
    if (mode === 'ticket' || mode === 'longTicket') evaluation.ticket = true;
    if (mode === 'hold' || mode === 'longTicket') {
      const elicitation = elicitationOf(model, evaluation);
      if (isOverdue(model, elicitation)) expire(model, elicitation);
      return;
    }
  }
  if (mode === 'leave') leave(model, number);
  else caller.state = answerOf(evaluation);
}

/** The caller goes away. What it holds is abandoned after the grace time, unless others hold it or somebody took a ticket for it. */
export function leave(model: Model, number: number): void {
  const caller = model.callers.find((each) => each.number === number);
  if (!caller) return;
  const isHolding = caller.state === 'holding';
  caller.state = 'left'; // even if it was answered in the very moment: nobody can say what it saw
  const evaluation = model.evaluations.find(({ tag }) => tag === caller.tag);
  if (!isHolding || evaluation?.status !== 'AWAITING_APPROVAL' || evaluation.ticket || holders(model, evaluation).length > 0) return;
  evaluation.abandonAt = model.time + graceSeconds;
}

export interface ResolveAct {
  /** The tags of the elicitations. */
  readonly tags: readonly string[];
  readonly action: 'ACCEPT' | 'DECLINE' | 'CANCEL';
  readonly principal: string;
}

export interface ResolveOneAct extends ResolveAct {
  readonly edit: Command | null;
  readonly isStale: boolean;
}

const statusAfter = { ACCEPT: 'ACCEPTED', DECLINE: 'DECLINED', CANCEL: 'CANCELLED' } as const;

export function resolve(model: Model, act: ResolveOneAct): string {
  const elicitation = elicitationAt(model, at(act.tags, 0));
  if (approvesItself(model, elicitation, act)) return 'forbidden';
  if (act.isStale) return 'staleElicitation';
  if (elicitation.status !== 'PENDING') {
    return elicitation.status === statusAfter[act.action] && elicitation.by === act.principal && elicitation.edit === act.edit ? 'resolved' : 'alreadyResolved';
  }
  if (isOverdue(model, elicitation)) return 'alreadyResolved';
  const edited = act.edit === null ? null : judgeEdit(model, elicitation, act.edit);
  if (edited === 'refused') return 'editRefused';
  settle(elicitation, act);
  elicitation.edit = act.edit;
  if (act.action === 'ACCEPT') accept(model, elicitation, edited);
  else refuse(model, elicitation, act.action === 'DECLINE' ? 'PERSON' : 'CANCELLATION');
  return 'resolved';
}

/** All of them or none. */
export function resolveAll(model: Model, act: ResolveAct): string {
  const elicitations = act.tags.map((tag) => elicitationAt(model, tag));
  if (elicitations.some((elicitation) => approvesItself(model, elicitation, act))) return 'forbidden';
  if (elicitations.some((elicitation) => elicitation.status !== 'PENDING' || isOverdue(model, elicitation))) return 'alreadyResolved';
  for (const elicitation of elicitations) {
    settle(elicitation, act);
    if (act.action === 'ACCEPT') accept(model, elicitation, null);
    else refuse(model, elicitation, act.action === 'DECLINE' ? 'PERSON' : 'CANCELLATION');
  }
  return 'resolved';
}

/** Nobody accepts where they evaluate, but for the single local user. */
function approvesItself(model: Model, { session }: ModelElicitation, { action, principal }: ResolveAct): boolean {
  return action === 'ACCEPT' && principal !== localUser.id && at(model.sessions, session).evaluators.includes(principal);
}

interface Edit {
  readonly writes: Writes;
  readonly data: object;
}

function judgeEdit(model: Model, elicitation: ModelElicitation, command: Command): Edit | 'refused' {
  const [evaluation, ...others] = waiting(model, elicitation);
  if (!evaluation || others.length > 0 || evaluation.tag !== elicitation.tag) return 'refused';
  const judged = judge(model, { ...evaluation, command });
  if (judged.verdict === 'DENY') return 'refused';
  if (judged.verdict === 'ASK' && judged.policies.some((name) => !elicitation.policies.includes(name))) return 'refused';
  return { writes: judged.writes, data: { name: evaluation.tool, arguments: { tag: evaluation.tag, command } } };
}

function settle(elicitation: ModelElicitation, { action, principal }: Pick<ResolveAct, 'action' | 'principal'>): void {
  elicitation.status = statusAfter[action];
  elicitation.by = principal;
}

/** What was withheld is written now. What no longer fits denies its own evaluation, and writes nothing. */
function accept(model: Model, elicitation: ModelElicitation, edit: Edit | null): void {
  for (const evaluation of waiting(model, elicitation)) {
    const { state, labels } = edit?.writes ?? evaluation.withheld;
    const fits = write(model, evaluation.session, { state, labels });
    if (fits && (state.length > 0 || Object.keys(labels).length > 0)) model.written.push(evaluation.session);
    if (fits) evaluation.data = edit?.data ?? null;
    decide(model, evaluation, fits ? ['DECIDED', 'ALLOW', 'PERSON'] : ['DECIDED', 'DENY', 'FAILURE']);
  }
}

function refuse(model: Model, elicitation: ModelElicitation, by: 'PERSON' | 'CANCELLATION'): void {
  for (const evaluation of waiting(model, elicitation)) decide(model, evaluation, ['DECIDED', 'DENY', by]);
}

/** After an accept that wrote: what no longer asks is settled, without a second prompt, until nothing changes any more. */
export function judgeAgain(model: Model): void {
  for (const session of model.written.splice(0)) {
    for (let again = true; again; ) {
      again = false;
      for (const evaluation of model.evaluations.filter((each) => each.session === session && each.status === 'AWAITING_APPROVAL')) {
        const elicitation = elicitationOf(model, evaluation);
        const judged = judge(model, evaluation);
        if (judged.verdict === 'ASK' || isOverdue(model, elicitation)) continue;
        decide(model, evaluation, ['DECIDED', judged.verdict, judged.by]);
        write(model, session, judged.writes);
        closeUnlessAwaited(model, elicitation, 'system');
        again = true;
      }
    }
  }
}

/** The caller gives up. */
export function withdraw(model: Model, { tag, principal }: { tag: string; principal: string }): string {
  const evaluation = evaluationAt(model, tag);
  if (evaluation.status === 'AWAITING_APPROVAL') {
    const elicitation = elicitationOf(model, evaluation);
    if (isOverdue(model, elicitation)) expire(model, elicitation);
    else abandon(model, evaluation, principal);
  }
  return answerOf(evaluation);
}

export function endSession(model: Model, { session, principal }: { session: number; principal: string }): string {
  for (const [index, each] of model.sessions.entries()) {
    if (each.ended || !lineage(model, index).includes(session)) continue;
    each.ended = true;
    for (const elicitation of model.elicitations) {
      if (elicitation.session !== index || elicitation.status !== 'PENDING') continue;
      if (isOverdue(model, elicitation)) {
        expire(model, elicitation);
        continue;
      }
      settle(elicitation, { action: 'CANCEL', principal });
      refuse(model, elicitation, 'CANCELLATION');
    }
  }
  return 'ended';
}

/** What happens by itself as time goes by. */
export function sweep(model: Model): void {
  for (const elicitation of model.elicitations) if (elicitation.status === 'PENDING' && isOverdue(model, elicitation)) expire(model, elicitation);
  for (const evaluation of model.evaluations) if (evaluation.abandonAt !== null && evaluation.abandonAt <= model.time) abandon(model, evaluation, 'system');
}

/** The server stops, is down for a while, and starts. Held calls are answered as they stand, and each has the whole grace time to come back. */
export function restart(model: Model, downSeconds: number): void {
  for (const caller of model.callers) if (caller.state === 'holding') caller.state = answerOf(evaluationAt(model, caller.tag ?? ''));
  model.time += downSeconds;
  for (const evaluation of model.evaluations) if (evaluation.status === 'AWAITING_APPROVAL' && !evaluation.ticket) evaluation.abandonAt = model.time + graceSeconds;
  sweep(model);
}

export function startSession(model: Model, { agent, parent }: { agent: number; parent: number | null }): void {
  model.sessions.push(newSession(agent, parent));
}

function expire(model: Model, elicitation: ModelElicitation): void {
  elicitation.status = 'EXPIRED';
  for (const evaluation of waiting(model, elicitation)) decide(model, evaluation, ['DECIDED', 'DENY', 'EXPIRY']);
}

function abandon(model: Model, evaluation: ModelEvaluation, by: string): void {
  decide(model, evaluation, ['ABANDONED', 'DENY', 'CANCELLATION']);
  closeUnlessAwaited(model, elicitationOf(model, evaluation), by);
}

function closeUnlessAwaited(model: Model, elicitation: ModelElicitation, by: string): void {
  if (waiting(model, elicitation).length === 0) settle(elicitation, { action: 'CANCEL', principal: by });
}

/** Every caller that holds the evaluation is answered with what was decided. */
function decide(model: Model, evaluation: ModelEvaluation, [status, verdict, decidedBy]: [ModelEvaluation['status'], ModelEvaluation['verdict'], ModelEvaluation['decidedBy']]): void {
  const answered = holders(model, evaluation);
  Object.assign(evaluation, { status, verdict, decidedBy, abandonAt: null });
  for (const caller of answered) caller.state = answerOf(evaluation);
}

/** False: it does not fit, and nothing is written. */
function write(model: Model, index: number, writes: Writes): boolean {
  const session = at(model.sessions, index);
  const state = after(session.state, writes);
  if (state === null) return false;
  session.state = state;
  session.labels = { ...session.labels, ...writes.labels };
  return true;
}

function isOverdue(model: Model, { expiresAt }: ModelElicitation): boolean {
  return expiresAt <= model.time;
}

function holders(model: Model, { tag }: ModelEvaluation): ModelCaller[] {
  return model.callers.filter((caller) => caller.tag === tag && caller.state === 'holding');
}

function waiting(model: Model, { tag }: ModelElicitation): ModelEvaluation[] {
  return model.evaluations.filter(({ elicitation, status }) => elicitation === tag && status === 'AWAITING_APPROVAL');
}

function elicitationOf(model: Model, evaluation: ModelEvaluation): ModelElicitation {
  return elicitationAt(model, evaluation.elicitation ?? '');
}

function elicitationAt(model: Model, tag: string): ModelElicitation {
  const found = model.elicitations.find((elicitation) => elicitation.tag === tag);
  if (!found) throw new Error(`The model has no elicitation ${tag}.`);
  return found;
}

function evaluationAt(model: Model, tag: string): ModelEvaluation {
  const found = model.evaluations.find((evaluation) => evaluation.tag === tag);
  if (!found) throw new Error(`The model has no evaluation ${tag}.`);
  return found;
}

/** As the world renders the answer of a call. */
function answerOf({ tag, status, verdict, decidedBy, data }: ModelEvaluation): string {
  return ['evaluated', tag, status, verdict, decidedBy ?? 'nobody', JSON.stringify(data)].join(' ');
}
