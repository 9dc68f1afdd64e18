import { z } from 'zod';
import { isJsonList, isJsonObject, type Json } from '../json.ts';
import { verdicts } from '../verdict.ts';
import type { VectorOutcome } from './apply-vector.ts';
import type { VectorProblem } from './vector.ts';

/** One line of a file of exceptions: the vector with this id is to get this verdict, and why not the one that it says. */
export function readException(line: string): VectorException | VectorProblem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'problem', id: null, message: 'The line is not JSON.' };
  }
  const parsed = exceptionLine.safeParse(value);
  if (parsed.success) return { kind: 'exception', ...parsed.data };
  const [issue] = parsed.error.issues;
  return { kind: 'problem', id: null, message: [...(issue?.path.map(String) ?? []), issue?.message ?? ''].join(': ') };
}

/** The outcome as the exception has it: only the verdict counts, of steps the last one's. */
export function exceptedOutcome(outcome: VectorOutcome, { verdict }: VectorException): VectorOutcome {
  const wanted = verdict === 'BUILD_ERROR' ? { build_error: true } : { result: verdict };
  return { ...outcome, passed: verdictIn(outcome.got) === verdict, wanted };
}

export interface VectorException {
  readonly kind: 'exception';
  readonly id: string;
  /** BUILD_ERROR: the params are to be refused. */
  readonly verdict: (typeof exceptionVerdicts)[number];
  readonly reason: string;
}

const exceptionVerdicts = [...verdicts, 'BUILD_ERROR'] as const;

const exceptionLine = z.object({ id: z.string(), verdict: z.enum(exceptionVerdicts), reason: z.string().trim().min(1, 'Say why.') });

function verdictIn(got: Json | undefined): Json {
  if (!isJsonObject(got)) return null;
  if (got['build_error'] === true) return 'BUILD_ERROR';
  const { steps } = got;
  return isJsonList(steps) ? verdictIn(steps.findLast((step) => step !== null)) : (got['result'] ?? null);
}
