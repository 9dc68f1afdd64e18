import type { AdapterOptions } from './options.ts';
import { reasonOf } from './reason-of.ts';

/** What the AI SDK asks about: a call of a tool that it is about to run. */
interface AskedCall {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
}

export type ToolApproval = (asked: AskedCall) => Promise<{ type: 'approved' } | { type: 'denied'; reason: string }>;

/**
 * `toolApproval` for `generateText`, `streamText` and `ToolLoopAgent`: each tool call waits for its verdict, under its `toolCallId`. The AI
 * SDK runs a call with the arguments that the model gave or not at all: one that was allowed with others is denied, and the model is told
 * with which. To run those, and to have results judged, gate `execute` with `client.gate` instead.
 */
export function toolApproval({ client, session, ...options }: AdapterOptions): ToolApproval {
  const permit = client.permission({ session, ...options });
  return async ({ toolCall: { toolName, toolCallId, input } }) => {
    try {
      const permitted = await permit({ name: toolName, arguments: input as object }, { idempotencyKey: toolCallId });
      if (!permitted.isReplaced) return { type: 'approved' };
      return { type: 'denied', reason: `Allowed with other arguments only: call ${toolName} with ${JSON.stringify(permitted.arguments)}.` };
    } catch (error) {
      return { type: 'denied', reason: reasonOf(error) };
    }
  };
}
