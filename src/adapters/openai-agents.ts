import type { AdapterOptions } from './options.ts';
import { reasonOf } from './reason-of.ts';

export type NeedsApproval = (context: unknown, input: unknown, callId?: string) => Promise<boolean>;

/** A tool call that a run was interrupted for. */
interface Interruption {
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  readonly rawItem: object;
}

/** A run's result, as far as it is needed to go on. */
interface InterruptedRun<Item extends Interruption, State extends RunState<Item>> {
  readonly interruptions?: readonly Item[];
  readonly state: State;
}

interface RunState<Item> {
  approve(item: Item): void;
  reject(item: Item, options: { message: string }): void;
}

export interface Approvals {
  /** `needsApproval` of the tool with this name: false where policies allow the call as it is. Anything else interrupts the run. */
  needsApproval(toolName: string): NeedsApproval;
  /** Waits for the verdicts of all interruptions, approves or rejects each, and gives the state to run again with. */
  settle<Item extends Interruption, State extends RunState<Item>>(run: InterruptedRun<Item, State>): Promise<State>;
}

/**
 * The approvals of a run. A call that must wait interrupts the run, under the model's id of the call: its state may be stored, and settled by
 * another process after a crash; nobody is asked twice. The Agents SDK runs a call with the arguments that the model gave or not at all: one
 * that was allowed with others is rejected, and the model is told with which.
 */
export function approvals({ client, session, ...options }: AdapterOptions): Approvals {
  const permit = client.permission({ session, ...options });

  /** Null: it may run. Else why not. */
  async function objection({ name = '', arguments: args, rawItem }: Interruption): Promise<string | null> {
    const callId = 'callId' in rawItem && typeof rawItem.callId === 'string' ? rawItem.callId : undefined;
    if (callId === undefined) return 'Not permitted: the call has no id.';
    try {
      const permitted = await permit({ name, arguments: JSON.parse(args ?? '{}') as object }, { idempotencyKey: callId });
      return permitted.isReplaced ? `Allowed with other arguments only: call ${name} with ${JSON.stringify(permitted.arguments)}.` : null;
    } catch (error) {
      return reasonOf(error);
    }
  }

  return {
    needsApproval: (name) => async (_context, input, callId) => {
      if (callId === undefined) return true;
      const permitted = await permit({ name, arguments: input as object }, { idempotencyKey: callId, waitSeconds: 0 }).catch(() => null); // settling says why
      return permitted === null || permitted.isReplaced;
    },
    async settle({ interruptions = [], state }) {
      const objections = await Promise.all(interruptions.map(objection));
      for (const [index, item] of interruptions.entries()) {
        const message = objections[index];
        if (message === null) state.approve(item);
        else state.reject(item, { message: message ?? 'Not permitted.' });
      }
      return state;
    },
  };
}
