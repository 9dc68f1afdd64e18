import { isObject } from './answer.ts';
import { CountersignError, DeniedError, UndecidedError } from './errors.ts';
import { DeadlineError, evaluate, type Calls, type EvaluateOptions } from './evaluate.ts';
import type { Phase } from './generated.ts';
import { canonicalJson, jsonCopy, type Json, type JsonObject } from './json.ts';
import type { Evaluation } from './operations.ts';

/** A function that takes its arguments as one object, as the tools of language models do; whatever else it takes is handed through. */
export type Tool<Arguments extends object, Rest extends readonly unknown[], Result> = (args: Arguments, ...rest: Rest) => Result | PromiseLike<Result>;

/** What one call brings along. */
export interface PerCall extends EvaluateOptions {
  /** The same key and arguments are the same act: a call that is repeated after a crash finds what was decided. Default: one of its own. */
  readonly idempotencyKey?: string | undefined;
}

export interface GateOptions<Arguments extends object, Rest extends readonly unknown[]> extends EvaluateOptions {
  /** What policies and people know the tool by. Default: the function's name. */
  readonly name?: string | undefined;
  /** What the agent runs with, where that differs from the session. */
  readonly model?: string | undefined;
  readonly harness?: string | undefined;
  /** Reads signal, deadline and key off a call, such as `(_args, { toolCallId, abortSignal }) => ({ idempotencyKey: toolCallId, signal: abortSignal })`. */
  readonly perCall?: ((args: Arguments, ...rest: Rest) => PerCall) | undefined;
}

export type GatedTool<Arguments extends object, Rest extends readonly unknown[], Result> = (args: Arguments, ...rest: Rest) => Promise<Result>;

/**
 * The tool behind the gate: each call is evaluated, waits for its decision, and runs on ALLOW alone, with the arguments that were allowed:
 * a copy made when it was called, or those that a policy or the approver put in their place. Its result is judged too, before it is given.
 *
 * Rejects with a DeniedError when the answer is no, an UndecidedError when there is none; with the signal's reason when that is aborted;
 * with a TypeError when the arguments are no JSON.
 */
export function gate<Arguments extends object, Rest extends readonly unknown[], Result>(
  { calls, session }: { readonly calls: Calls; readonly session: () => Promise<string> },
  tool: Tool<Arguments, Rest, Result>,
  { name = tool.name, model, harness, perCall, ...defaults }: GateOptions<Arguments, Rest>,
): GatedTool<Arguments, Rest, Result> {
  if (name === '') throw new TypeError('The tool has no name: give `name` beside it.');
  return async (args, ...rest) => {
    const { idempotencyKey = crypto.randomUUID(), ...options } = { ...defaults, ...perCall?.(args, ...rest) };
    const given = argumentsOf(args, name);
    const asked = { session, idempotencyKey, model, harness };

    const verdict = await evaluate(calls, { ...asked, event: { toolCall: { name, arguments: given } } }, options).catch(undecided('TOOL_CALL', options));
    if (verdict.verdict !== 'ALLOW') throw denied('TOOL_CALL', verdict);
    if (canonicalJson(argumentsOf(args, name)) !== canonicalJson(given)) throw changed(verdict);
    const effective = verdict.data === null ? given : replacedArguments(verdict, name);

    const judge = async (result: Json) => {
      const event = { toolResult: { name, result, call: { name, arguments: effective } } };
      const judged = await evaluate(calls, { ...asked, idempotencyKey: `${idempotencyKey.slice(0, 249)}:result`, event }, options).catch(undecided('TOOL_RESULT', options));
      if (judged.verdict !== 'ALLOW') throw denied('TOOL_RESULT', judged);
      return judged.data;
    };
    let result: Result;
    try {
      result = await tool(effective as Arguments, ...rest);
    } catch (error) {
      await judge({ error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    const replaced = await judge(shownResult(result));
    return isObject(replaced) && Object.hasOwn(replaced, 'result') ? (replaced['result'] as Result) : result;
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

/** What policies see of a result: as much as JSON can say of it. */
function shownResult(result: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(result ?? null)) as Json;
  } catch {
    return String(result);
  }
}

function denied(phase: Phase, evaluation: Evaluation): DeniedError {
  const { reason, decidedBy } = evaluation;
  return new DeniedError({ phase, reason: reason ?? 'Denied.', decidedBy, ...idsOf(evaluation) });
}

function changed(evaluation: Evaluation): UndecidedError {
  return new UndecidedError({ phase: 'TOOL_CALL', reason: 'The arguments were changed while the call waited: what was allowed is not what would have run.', ...idsOf(evaluation) });
}

/** Whatever went wrong, the act is not permitted. */
function undecided(phase: Phase, { signal }: EvaluateOptions): (error: unknown) => never {
  return (error) => {
    if (signal?.aborted || !(error instanceof CountersignError)) throw error;
    const evaluation = error instanceof DeadlineError ? error.evaluation : null;
    throw new UndecidedError({ phase, reason: `Not permitted, for nobody could decide: ${error.message}`, ...idsOf(evaluation), cause: error });
  };
}

function idsOf(evaluation: Evaluation | null): { evaluationId: string | null; elicitationId: string | null } {
  return { evaluationId: evaluation?.id ?? null, elicitationId: evaluation?.elicitation?.id ?? null };
}
