import { isObject } from './answer.ts';
import { CountersignError, DeniedError, UndecidedError } from './errors.ts';
import { DeadlineError, evaluate, type Calls, type EvaluateOptions } from './evaluate.ts';
import type { Phase } from './generated.ts';
import { canonicalJson, jsonCopy, type JsonObject } from './json.ts';
import type { Evaluation } from './operations.ts';

/** The call of a tool that somebody else runs. */
export interface ToolCall {
  /** What policies and people know the tool by. */
  readonly name: string;
  readonly arguments: object;
}

export interface PermissionOptions extends EvaluateOptions {
  /** What the agent runs with, where that differs from the session. */
  readonly model?: string | undefined;
  readonly harness?: string | undefined;
}

/** What one call brings along. */
export interface PerPermission extends EvaluateOptions {
  /** The same key and arguments are the same act: a call that is repeated after a crash finds what was decided. Default: one of its own. */
  readonly idempotencyKey?: string | undefined;
  /** How long to wait for a person; then it is not permitted yet, and the question goes on. The same key takes it up again. Default: until decided. */
  readonly waitSeconds?: number | undefined;
}

export interface Permission {
  /** What may be run: a copy of the arguments, or those that a policy or the approver put in their place. */
  readonly arguments: JsonObject;
  /** Whether they are others than those that were asked for. Whoever cannot run others must not run the call. */
  readonly isReplaced: boolean;
}

/** Asks for a tool call, and waits. Resolves when it is permitted; rejects as a gated tool does when it is not. */
export type Permit = (call: ToolCall, options?: PerPermission) => Promise<Permission>;

/** The gate without the tool, for hosts that run it themselves: it judges the call alone, not the result. */
export function permission({ calls, session }: { readonly calls: Calls; readonly session: () => Promise<string> }, { model, harness, ...defaults }: PermissionOptions): Permit {
  return async ({ name, arguments: args }, perCall = {}) => {
    const { idempotencyKey = crypto.randomUUID(), waitSeconds, ...options } = { ...defaults, ...perCall };
    const given = argumentsOf(args, name);
    const act = { session, idempotencyKey, model, harness, waitSeconds, event: { toolCall: { name, arguments: given } } };
    const evaluation = await evaluate(calls, act, options).catch(undecided('TOOL_CALL', options));
    if (evaluation.verdict === 'ASK') throw new UndecidedError({ phase: 'TOOL_CALL', reason: `Nobody has decided yet: ${evaluation.reason ?? 'a person is asked'}.`, ...idsOf(evaluation) });
    if (evaluation.verdict !== 'ALLOW') throw denied('TOOL_CALL', evaluation);
    if (canonicalJson(argumentsOf(args, name)) !== canonicalJson(given)) throw changed(evaluation);
    return evaluation.data === null ? { arguments: given, isReplaced: false } : { arguments: replacedArguments(evaluation, name), isReplaced: true };
  };
}

function argumentsOf(args: unknown, name: string): JsonObject {
  const copy = jsonCopy(args, 'args');
  if (!isObject(copy)) throw new TypeError(`${name} was called with ${Array.isArray(copy) ? 'a list' : typeof copy}: a gated tool takes its arguments as one object.`);
  return copy;
}

/** What a policy or the approver has put in the place of the arguments. Anything but arguments for this tool permits nothing. */
function replacedArguments(evaluation: Evaluation, name: string): JsonObject {
  const { data } = evaluation;
  if (isObject(data) && data['name'] === name && isObject(data['arguments'])) return data['arguments'] as JsonObject;
  throw new UndecidedError({ phase: 'TOOL_CALL', reason: `The call was allowed with other data than arguments for ${name}, so it was not made.`, ...idsOf(evaluation) });
}

export function denied(phase: Phase, evaluation: Evaluation): DeniedError {
  const { reason, decidedBy } = evaluation;
  return new DeniedError({ phase, reason: reason ?? 'Denied.', decidedBy, ...idsOf(evaluation) });
}

function changed(evaluation: Evaluation): UndecidedError {
  return new UndecidedError({ phase: 'TOOL_CALL', reason: 'The arguments were changed while the call waited: what was allowed is not what would have run.', ...idsOf(evaluation) });
}

/** Whatever went wrong, the act is not permitted. */
export function undecided(phase: Phase, { signal }: EvaluateOptions): (error: unknown) => never {
  return (error) => {
    if (signal?.aborted || !(error instanceof CountersignError)) throw error;
    const evaluation = error instanceof DeadlineError ? error.evaluation : null;
    throw new UndecidedError({ phase, reason: `Not permitted, for nobody could decide: ${error.message}`, ...idsOf(evaluation), cause: error });
  };
}

function idsOf(evaluation: Evaluation | null): { evaluationId: string | null; elicitationId: string | null } {
  return { evaluationId: evaluation?.id ?? null, elicitationId: evaluation?.elicitation?.id ?? null };
}
