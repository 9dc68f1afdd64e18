import { MalformedAnswerError } from '../sdk/errors.ts';
import { EvaluatePolicyDocument, type EvaluatePolicyInput } from '../sdk/generated.ts';
import type { Evaluation } from './answer-in.ts';
import { patiently } from './patience.ts';
import { CutError, type Server } from './server.ts';

export type EvaluateInput = EvaluatePolicyInput & { readonly idempotencyKey: string };

/** The hook's time was up before a person had decided. What was asked stays: the same call waits on for it. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
  /** Null: the server could not say. */
  readonly elicitationId: string | null;

  constructor(elicitationId: string | null) {
    super(`a person has not decided yet${elicitationId === null ? '' : `: ${elicitationId} is still pending`}. Nothing was done. Make the same call with the same arguments again to wait on; nobody is asked twice.`);
    this.elicitationId = elicitationId;
  }
}

/** How long the server may take to say what is pending. */
const ticketMilliseconds = 3000;

/**
 * The decided evaluation. The call is held, and taken up again by its key whatever happens to connection and server. At the signal it is
 * made a ticket, which outlives the hook, and an `Undecided` is thrown; a hook that dies before leaves a call that ends with its grace time.
 */
export async function evaluateUntil(server: Server, input: EvaluateInput, signal: AbortSignal): Promise<Evaluation> {
  const held = new AbortController();
  const stop = () => held.abort(signal.reason);
  const deciding = patiently(async () => decided(await evaluate(server, input, held.signal)), held.signal);
  deciding.catch(() => undefined);
  const { promise: timeIsUp, resolve } = Promise.withResolvers<'timeIsUp'>();
  const up = () => resolve('timeIsUp');
  if (signal.aborted) up();
  else signal.addEventListener('abort', up, { once: true });
  try {
    const outcome = await Promise.race([deciding, timeIsUp]);
    return outcome === 'timeIsUp' ? await takeTicket(server, input) : outcome;
  } finally {
    signal.removeEventListener('abort', up);
    stop(); // not before the ticket: a call that nobody holds ends
  }
}

async function takeTicket(server: Server, input: EvaluateInput): Promise<Evaluation> {
  const ticket = await evaluate(server, { ...input, waitSeconds: 0 }, AbortSignal.timeout(ticketMilliseconds)).catch(() => null);
  if (ticket && ticket.verdict !== 'ASK') return ticket; // decided in the last moment
  throw new Undecided(ticket?.elicitation?.id ?? null);
}

async function evaluate(server: Server, input: EvaluateInput, signal: AbortSignal): Promise<Evaluation> {
  const evaluation = await server.call(EvaluatePolicyDocument, { input }, signal);
  const isWhole = evaluation.__typename === 'Evaluation' && [evaluation.id, evaluation.verdict, evaluation.status].every((field) => typeof field === 'string') && 'data' in evaluation;
  if (!isWhole) throw new MalformedAnswerError('the answer is no whole evaluation.');
  return evaluation;
}

function decided(evaluation: Evaluation): Evaluation {
  if (evaluation.verdict === 'ASK') throw new CutError('the server let go of the call before anybody had decided.');
  return evaluation;
}
