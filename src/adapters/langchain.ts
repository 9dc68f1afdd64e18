import { interrupt } from '@langchain/langgraph';
import { createMiddleware, ToolMessage } from 'langchain';
import { DeniedError, UndecidedError } from '../sdk/index.ts';
import type { AdapterOptions } from './options.ts';

export interface GateMiddlewareOptions extends AdapterOptions {
  /**
   * Whether a call that must wait interrupts the graph, so that it need not stay in memory: a checkpointer keeps it, and any process resumes it
   * with `new Command({ resume: true })`. What it is resumed with decides nothing: the call takes its verdict up, or waits for it. Default: false,
   * the call waits where it is.
   */
  readonly interrupts?: boolean | undefined;
}

/** What an interrupted graph says: the value of its interrupt. */
export interface PendingCall {
  readonly reason: string;
  readonly elicitationId: string;
  readonly evaluationId: string | null;
}

/**
 * A middleware for `createAgent`: each tool call waits for its verdict, under its id, runs with what was allowed, and its result is judged
 * before the model sees it. Of a call that is not permitted the model is told why.
 */
export function gateMiddleware({ client, session: given, interrupts = false, ...options }: GateMiddlewareOptions) {
  const session = typeof given === 'string' ? given : { externalId: crypto.randomUUID(), ...given }; // one for all tools
  const permit = client.permission({ session, ...options });
  return createMiddleware({
    name: 'CountersignGate',
    async wrapToolCall(request, handler) {
      const { id, name, args } = request.toolCall;
      const { signal } = request.runtime;
      const refused = (content: string) => new ToolMessage({ content, tool_call_id: id ?? '', name, status: 'error' });
      if (interrupts && id === undefined) return refused('Not permitted: the call has no id, by which it could be taken up again.'); // it would be asked anew each time
      const answers: Awaited<ReturnType<typeof handler>>[] = [];
      const run = async (effective: Record<string, unknown>) => {
        const answer = await handler({ ...request, toolCall: { ...request.toolCall, args: effective } });
        answers.push(answer);
        return ToolMessage.isInstance(answer) ? answer.content : null;
      };
      const perCall = { idempotencyKey: id, signal };
      try {
        if (interrupts) await permit({ name, arguments: args }, { ...perCall, waitSeconds: 0 }).catch(pause);
        const content = await client.gate(run, { session, ...options, name, perCall: () => perCall })(args);
        const [answer] = answers;
        if (answer === undefined) throw new Error('The tool did not run.');
        if (content === (ToolMessage.isInstance(answer) ? answer.content : null)) return answer;
        return new ToolMessage({ content: typeof content === 'string' ? content : JSON.stringify(content), tool_call_id: id ?? '', name }); // a policy has rewritten it
      } catch (error) {
        if (error instanceof DeniedError) return refused(error.reason);
        throw error;
      }
    },
  });
}

/** Interrupts the graph where a person is asked; the first time it does not return. */
function pause(error: unknown): void {
  if (!(error instanceof UndecidedError) || error.elicitationId === null) throw error;
  interrupt({ reason: error.reason, elicitationId: error.elicitationId, evaluationId: error.evaluationId } satisfies PendingCall);
}
