import { randomUUID } from 'node:crypto';
import { RefusedError } from '../sdk/errors.ts';
import type { Connection } from './connection.ts';
import type { Environment } from './environment.ts';
import { answerIn, type Evaluation } from './answer-in.ts';
import { evaluateUntil, Undecided, type EvaluateInput } from './evaluate-until.ts';
import { followEvaluation } from './follow-evaluation.ts';
import type { Act, Answer } from './host.ts';
import { digestOf, openHostState, type CallHint, type Hint, type HostState } from './host-state.ts';
import { openSession } from './open-session.ts';
import { patiently } from './patience.ts';
import { openServer, type Server } from './server.ts';

export interface Judging {
  /** The host's name. */
  readonly host: string;
  readonly connection: Connection;
  readonly surroundings: Environment;
  /** When the hook must answer, in milliseconds since its process began. */
  readonly deadline: number;
}

/** What the server says of the act, or a denial that names what is still pending at the deadline. Rejects where the server cannot be asked. */
export async function judgeAct(act: Act, { host, connection, surroundings, deadline }: Judging): Promise<Answer> {
  const signal = AbortSignal.timeout(Math.max(Math.floor(deadline - performance.now()), 1));
  const state = openHostState(surroundings, { host, sessionId: act.session.id, connection });
  const desk: Desk = { server: openServer(connection), state, signal, session: { host, session: act.session, agent: connection.agent ?? host } };
  const { event } = act;
  if ('toolCall' in event) return judgeCall(desk, act, state.call(act.identify(event.toolCall)));
  if ('toolResult' in event) state.call(act.identify(event.toolResult.call)).remove(); // it is over: what comes with the same arguments is another call
  return answerIn(act, await evaluate(desk, act, keyOf(host, act)));
}

interface Desk {
  readonly server: Server;
  readonly state: HostState;
  readonly session: Parameters<typeof openSession>[1];
  readonly signal: AbortSignal;
}

/** One call that comes by two events is judged once, and one that waited past the hook's deadline is taken up again. */
async function judgeCall(desk: Desk, act: Act, hint: Hint<CallHint>): Promise<Answer> {
  const known = hint.read();
  const own = keyOf(desk.session.host, act);
  if (known?.evaluationId != null && (act.id === null || known.key === own)) return answerIn(act, await followEvaluation(desk, { id: known.evaluationId, isChanged: known.isChanged }));
  const asked = digestOf(JSON.stringify(act.event));
  const goesOn = known && (known.waitsFor === null ? act.id === null : known.waitsFor === asked); // what identifies a call may leave out what a person was shown
  const key = goesOn ? known.key : own;
  if (act.id !== null && known?.key !== key) hint.write({ key, evaluationId: null, isChanged: false, waitsFor: null });
  try {
    const evaluation = await evaluateCall(desk, act, { key, hint });
    if (evaluation.status === 'ABANDONED' && key !== own) {
      hint.remove(); // it was taken for given up meanwhile: this is a new call
      return await judgeCall(desk, act, hint);
    }
    const answer = answerIn(act, evaluation);
    settle(desk.state, act, { hint, key: own, answer, evaluationId: evaluation.id });
    return answer;
  } catch (error) {
    if (error instanceof Undecided) hint.write({ key, evaluationId: null, isChanged: false, waitsFor: asked });
    throw error;
  }
}

/** Under a key that stands for another event: it is the same call by another event if the hint says so, else it is judged as what it is. */
async function evaluateCall(desk: Desk, act: Act, { key, hint }: { key: string; hint: Hint<CallHint> }): Promise<Evaluation> {
  try {
    return await evaluate(desk, act, key);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.result.__typename !== 'IdempotencyKeyReusedError') throw error;
    if (hint.read()?.key === key) return followEvaluation(desk, { id: error.result.evaluation.id, isChanged: false });
    return evaluate(desk, act, digestOf([key, JSON.stringify(act.event)]));
  }
}

interface Settlement {
  readonly hint: Hint<CallHint>;
  readonly key: string;
  readonly answer: Answer;
  readonly evaluationId: string;
}

/**
 * Notes what was allowed for the host's next event of the call, which has the arguments that it was allowed with. Only where the call has an
 * id of its own: else its next event could not be told from another call with the same arguments.
 */
function settle(state: HostState, act: Act, { hint, key, answer, evaluationId }: Settlement): void {
  const { event } = act;
  if (act.id === null) return;
  const allowed = { key, evaluationId, waitsFor: null };
  const instead = answer.verdict === 'ALLOW' ? answer.instead : null;
  if (answer.verdict === 'DENY' || instead !== null) hint.remove();
  else hint.write({ ...allowed, isChanged: false });
  if (typeof instead === 'object' && instead !== null && 'toolCall' in event) state.call(act.identify({ ...event.toolCall, arguments: instead })).write({ ...allowed, isChanged: true });
}

async function evaluate(desk: Desk, act: Act, idempotencyKey: string): Promise<Evaluation> {
  const { server, state, signal, session } = desk;
  const cached = state.session.read();
  const input = (sessionId: string): EvaluateInput => ({ sessionId, event: act.event, idempotencyKey, model: modelOf(act), harness: session.host });
  if (cached) {
    try {
      return await evaluateUntil(server, input(cached.id), signal);
    } catch (error) {
      if (!(error instanceof RefusedError) || error.result.__typename !== 'NotFoundError') throw error; // else the server has forgotten it, or is another one
    }
  }
  const id = await patiently(() => openSession(server, session, signal), signal);
  state.session.write({ id });
  return evaluateUntil(server, input(id), signal);
}

function modelOf({ session: { model } }: Act): string | null {
  return model === null || model.trim() === '' || model.length > 256 ? null : model;
}

/** Of an act that the host has no id for, a new one: what was allowed once is not allowed again. */
function keyOf(host: string, { event, id }: Act): string {
  const [kind = ''] = Object.keys(event);
  const key = `${host}:${kind}:${id ?? randomUUID()}`;
  return key.length > 256 ? `${host}:${kind}:${digestOf(id)}` : key;
}
