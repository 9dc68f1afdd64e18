import type { AdapterOptions } from './options.ts';
import { reasonOf } from './reason-of.ts';

interface CallDetails {
  /** Aborted when the host does not want the answer any more. */
  readonly signal: AbortSignal;
  readonly toolUseID: string;
}

type Answer = { behavior: 'allow'; updatedInput: Record<string, unknown> } | { behavior: 'deny'; message: string };

export type CanUseTool = (toolName: string, input: Record<string, unknown>, details: CallDetails) => Promise<Answer>;

/**
 * `canUseTool` for `query`: each call that the host asks about waits for its verdict, under its `toolUseID`, and runs with what was allowed.
 * The host asks about what its own rules leave open: give it no `allowedTools`, and no mode that skips permissions. Never answers that a
 * tool is always allowed.
 */
export function canUseTool({ client, session, ...options }: AdapterOptions): CanUseTool {
  const permit = client.permission({ session, ...options });
  return async (name, input, { signal, toolUseID }) => {
    try {
      const permitted = await permit({ name, arguments: input }, { idempotencyKey: toolUseID, signal });
      return { behavior: 'allow', updatedInput: { ...permitted.arguments } };
    } catch (error) {
      return { behavior: 'deny', message: reasonOf(error) };
    }
  };
}
