import { isObject, succeeded } from './answer.ts';
import { MalformedAnswerError, RefusedError, UnreachableError } from './errors.ts';
import type { EvaluatePolicyInput } from './generated.ts';
import { evaluatePolicy, inputOperations, type Evaluation } from './operations.ts';
import { isThere } from './is-there.ts';
import { pause, persist } from './retry.ts';
import type { Transport } from './transport.ts';

export interface Calls {
  readonly transport: Transport;
  /** How long the server may be away before a call fails. */
  readonly patienceSeconds: number;
}

export interface EvaluateOptions {
  /** Withdraws the call: nobody is asked any more. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Withdraws the call after so long; the promise rejects with a DeadlineError. Default: none but the ask's own. */
  readonly deadlineSeconds?: number | undefined;
  /**
   * Told once, when a person is asked: with what, where and until when. The ask is a ticket then: should this process die, it does not end
   * with its grace time, but waits to be taken up by its key. What it throws is what the promise rejects with.
   */
  readonly onPending?: ((evaluation: Evaluation) => void) | undefined;
}

/** Nobody decided within `deadlineSeconds`. The call was withdrawn. */
export class DeadlineError extends UnreachableError {
  /** As it stood when it was withdrawn; null: the server could not be told, or never heard of it. */
  readonly evaluation: Evaluation | null;

  constructor(seconds: number, evaluation: Evaluation | null) {
    super(`Nobody decided within ${seconds} s.`);
    this.evaluation = evaluation;
  }
}

/** What is to be judged. Its session may have to be created first; its key is what it is found by again. */
export interface Act extends Omit<EvaluatePolicyInput, 'sessionId' | 'idempotencyKey'> {
  readonly session: () => Promise<string>;
  readonly idempotencyKey: string;
}

/**
 * Evaluates, and waits until it is decided: across lost connections, restarts and full servers, under one idempotency key, so that nobody
 * is asked twice. Resolves to a decided evaluation, `verdict` ALLOW or DENY; with `waitSeconds` to the evaluation as it stands then.
 */
export async function evaluate(calls: Calls, { session, ...act }: Act, { signal, deadlineSeconds, onPending }: EvaluateOptions = {}): Promise<Evaluation> {
  const { transport } = calls;
  const given = new AbortController();
  const held = new AbortController();
  const giveUp = () => given.abort();
  const close = () => held.abort(transport.closed.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  transport.closed.addEventListener('abort', close, { once: true });
  const timer = deadlineSeconds === undefined ? undefined : setTimeout(giveUp, deadlineSeconds * 1000);
  const sent: { input: EvaluatePolicyInput | null } = { input: null };
  try {
    signal?.throwIfAborted();
    transport.closed.throwIfAborted();
    const deciding = session().then((sessionId) => decide(calls, (sent.input = { ...act, sessionId }), { signal: held.signal, onPending }));
    if ((await Promise.race([deciding, aborted(given.signal)])) !== 'aborted') return await deciding;
    deciding.catch(() => undefined);
    const withdrawn = sent.input && (await withdraw(transport, sent.input));
    signal?.throwIfAborted();
    if (withdrawn?.status === 'DECIDED' && (await Promise.race([deciding, late(held.signal)])) !== 'late') return await deciding; // somebody was quicker, and the held call has the answer
    throw new DeadlineError(deadlineSeconds ?? 0, withdrawn);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
    transport.closed.removeEventListener('abort', close);
    held.abort();
  }
}

async function decide({ transport, patienceSeconds }: Calls, input: EvaluatePolicyInput, { signal, onPending }: { signal: AbortSignal; onPending: EvaluateOptions['onPending'] }): Promise<Evaluation> {
  const patience = { seconds: patienceSeconds, isThere: () => isThere(transport), signal };
  const judge = (asked: EvaluatePolicyInput) => persist(async () => evaluated(await transport.call({ ...evaluatePolicy, isRepeatable: true }, { input: asked }, signal), asked), patience);
  if (!onPending) return judge(input);
  const first = await judge({ ...input, waitSeconds: 0 });
  if (first.verdict !== 'ASK') return first;
  signal.throwIfAborted();
  onPending(first);
  return input.waitSeconds === 0 ? first : judge(input);
}

/** What is not decided is an error that passes: the server is going away, and another one takes the call up. */
function evaluated(answer: unknown, { waitSeconds }: EvaluatePolicyInput): Evaluation {
  const evaluation = evaluationOf(succeeded(answer));
  const isDecided = (evaluation.verdict === 'ALLOW' && evaluation.status === 'DECIDED') || evaluation.verdict === 'DENY';
  if (isDecided || (evaluation.verdict === 'ASK' && waitSeconds != null)) return evaluation;
  if (evaluation.verdict === 'ASK') throw new UnreachableError('The server let go of the call before anybody decided.');
  throw new MalformedAnswerError(`The verdict is ${evaluation.verdict}, the status ${evaluation.status}: that permits nothing.`);
}

function evaluationOf(value: unknown): Evaluation {
  const isWhole =
    isObject(value) &&
    value['__typename'] === 'Evaluation' &&
    [value['id'], value['verdict'], value['status']].every((field) => typeof field === 'string') &&
    ['data', 'reason', 'decidedBy', 'elicitation'].every((field) => Object.hasOwn(value, field));
  if (!isWhole) throw new MalformedAnswerError('The answer is no whole evaluation.');
  return value as unknown as Evaluation;
}

/** The caller waits for this: it must not last. */
const withdrawWithinMilliseconds = 5000;

/** Null: the server does not know the call, or could not be told within 5 s; then the ask ends with its grace time. */
async function withdraw(transport: Transport, { sessionId, idempotencyKey }: EvaluatePolicyInput): Promise<Evaluation | null> {
  const signal = AbortSignal.timeout(withdrawWithinMilliseconds);
  const attempt = async () => evaluationOf(succeeded(await transport.call(inputOperations.withdrawEvaluation, { input: { sessionId, idempotencyKey } }, signal)));
  const persistently = () => persist(attempt, { seconds: withdrawWithinMilliseconds / 1000, isThere: async () => false, signal });
  try {
    return await persistently().catch(async (error: unknown) => {
      if (!(error instanceof RefusedError) || error.result.__typename !== 'NotFoundError') throw error;
      await pause(250, signal); // the call itself may still be on its way
      return persistently();
    });
  } catch {
    return null;
  }
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }));
}

function late(signal: AbortSignal): Promise<'late'> {
  return pause(withdrawWithinMilliseconds, signal).then(() => 'late');
}
