import { MalformedAnswerError } from '../sdk/errors.ts';
import { EvaluationDocument } from '../sdk/generated.ts';
import { pause } from '../sdk/retry.ts';
import type { Evaluation } from './answer-in.ts';
import { Undecided } from './evaluate-until.ts';
import { patiently } from './patience.ts';
import type { Server } from './server.ts';

const everyMilliseconds = 500;

/**
 * What becomes of an evaluation that another event of the same call has brought about. `isChanged`: this event has the arguments that it was
 * allowed with; else a change is a denial, because only the caller of evaluatePolicy is told what to.
 */
export async function followEvaluation({ server, signal }: { server: Server; signal: AbortSignal }, { id, isChanged }: { id: string; isChanged: boolean }): Promise<Evaluation> {
  for (;;) {
    const evaluation = await patiently(() => server.call(EvaluationDocument, { id }, signal), signal).catch((error: unknown) => {
      throw signal.aborted ? new Undecided(null) : error;
    });
    if (!evaluation) throw new MalformedAnswerError(`the evaluation ${id} is not there any more.`);
    if (evaluation.verdict === 'ALLOW' && evaluation.data != null && !isChanged) return { ...evaluation, verdict: 'DENY', reason: 'The arguments of this call were changed when it was approved: make the call anew.' };
    if (evaluation.verdict !== 'ASK') return { ...evaluation, data: null };
    await pause(everyMilliseconds, signal).catch(() => {
      throw new Undecided(evaluation.elicitation?.id ?? null);
    });
  }
}
