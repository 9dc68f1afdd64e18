import { isObject } from './answer.ts';
import { evaluate, type Calls } from './evaluate.ts';
import type { Json } from './json.ts';
import { denied, permission, undecided, type PerPermission, type PermissionOptions } from './permission.ts';

/** A function that takes its arguments as one object, as the tools of language models do; whatever else it takes is handed through. */
export type Tool<Arguments extends object, Rest extends readonly unknown[], Result> = (args: Arguments, ...rest: Rest) => Result | PromiseLike<Result>;

/** What one call brings along. */
export type PerCall = Omit<PerPermission, 'waitSeconds'>;

export interface GateOptions<Arguments extends object, Rest extends readonly unknown[]> extends PermissionOptions {
  /** What policies and people know the tool by. Default: the function's name. */
  readonly name?: string | undefined;
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
  const permit = permission({ calls, session }, { model, harness });
  return async (args, ...rest) => {
    const { idempotencyKey = crypto.randomUUID(), ...options }: PerCall = { ...defaults, ...perCall?.(args, ...rest) };
    const { arguments: effective } = await permit({ name, arguments: args }, { ...options, idempotencyKey });

    const judge = async (result: Json) => {
      const event = { toolResult: { name, result, call: { name, arguments: effective } } };
      const act = { session, idempotencyKey: `${idempotencyKey.slice(0, 249)}:result`, model, harness, event };
      const judged = await evaluate(calls, act, options).catch(undecided('TOOL_RESULT', options));
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

/** What policies see of a result: as much as JSON can say of it. */
function shownResult(result: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(result ?? null)) as Json;
  } catch {
    return String(result);
  }
}
