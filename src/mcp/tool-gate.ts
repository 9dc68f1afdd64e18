import type { JSONRPCErrorResponse, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, Result } from '@modelcontextprotocol/sdk/types.js';
import { CountersignError, DeniedError, UndecidedError, type Client, type EvaluateOptions, type PolicyEventInput } from '../sdk/index.ts';
import { deniedResult, failed, type Answer } from './answer.ts';
import type { ClientDialogs } from './client-dialogs.ts';
import type { Introduction } from './introduction.ts';
import { readCall, type CallParams } from './read-call.ts';
import { replacedResult } from './replaced-result.ts';
import { createSessionKeeper } from './session-keeper.ts';
import { createWaitingNotes } from './waiting-notes.ts';
import { untilAborted } from './until-aborted.ts';
import { UpstreamFault } from './upstream-fault.ts';

/** A request of the client that the gate holds. */
export interface ToolCall {
  readonly request: JSONRPCRequest;
  readonly cancel: AbortController;
  /** The server has it. */
  isForwarded: boolean;
}

export interface ToolGate {
  /** `tools/call`: judged, forwarded on ALLOW with the arguments that were allowed, its result judged. */
  call(call: ToolCall): Promise<Answer>;
  /** `tasks/result`: what a call that the server runs as a task has come to, judged as the result of that call. */
  taskResult(call: ToolCall): Promise<Answer>;
  noteProgress(notification: JSONRPCNotification): void;
  /** Withdraws what waits, and ends the session where it is this gateway's own. Takes some seconds at most. */
  close(): Promise<void>;
}

export interface ToolGateParts {
  readonly countersign: Client;
  readonly agent: string | null;
  readonly sessionKey: string | null;
  readonly serverName: string | null;
  readonly introduction: Introduction;
  readonly dialogs: ClientDialogs;
  readonly send: (message: JSONRPCMessage) => void;
  /** Resolves to the MCP server's answer, or to an error where it cannot be reached. */
  readonly ask: (request: JSONRPCRequest) => Promise<Answer>;
}

interface Wait {
  readonly options: EvaluateOptions;
  begin(): void;
  pause(): void;
  end(): void;
}

/** What the server runs as tasks, at most so many: the oldest are forgotten, and their results withheld. */
const tasksMax = 10_000;

export function createToolGate(parts: ToolGateParts): ToolGate {
  const { countersign, serverName, dialogs, ask } = parts;
  const session = createSessionKeeper(parts);
  const notes = createWaitingNotes(parts.send);
  const tasks = new Map<string, CallParams>();
  const held = new Set<Promise<Answer>>();
  const judgedName = (tool: string) => (serverName === null ? tool : `mcp__${serverName}__${tool}`);

  /** How a wait for Countersign looks from outside: progress, and the question at the client where it may be asked there. */
  function waitOf({ request, cancel }: ToolCall): Wait {
    const note = notes.of(request);
    let over = new AbortController();
    const pause = () => {
      note.pause();
      over.abort();
    };
    return {
      options: {
        signal: cancel.signal,
        onPending: ({ elicitation }) => {
          if (!elicitation) return;
          note.say(`Waiting for a person: ${elicitation.message} (${elicitation.url})`);
          dialogs.open(elicitation.id, over.signal);
        },
      },
      begin() {
        over = new AbortController();
        note.begin();
      },
      pause,
      end() {
        pause();
        note.end();
      },
    };
  }

  async function runCall(call: ToolCall): Promise<Answer> {
    const { request, cancel } = call;
    const params = readCall(request);
    if (typeof params === 'string') return failed(request.id, params, -32602);
    const wait = waitOf(call);
    wait.begin();
    const failures: JSONRPCErrorResponse[] = [];
    try {
      const run = countersign.gate(
        async (effective: object): Promise<Result> => {
          wait.pause();
          cancel.signal.throwIfAborted();
          call.isForwarded = true;
          const answer = await untilAborted(ask(withArguments(request, effective)), cancel.signal);
          wait.begin();
          if ('result' in answer) return answer.result;
          failures.push(answer);
          return { error: answer.error };
        },
        { name: judgedName(params.name), session: await session.id(cancel.signal), harness: parts.introduction.clientName ?? undefined, perCall: () => wait.options },
      );
      const result = await run(params.arguments);
      rememberTask(result, params);
      const [failure] = failures;
      return failure ? { ...failure, ...replacedError(result) } : { jsonrpc: '2.0', id: request.id, result: replacedResult(result) };
    } finally {
      wait.end();
    }
  }

  function rememberTask({ task }: Result, params: CallParams): void {
    const taskId: unknown = typeof task === 'object' && task !== null && 'taskId' in task ? task.taskId : null;
    if (typeof taskId !== 'string') return;
    tasks.set(taskId, params);
    for (const oldest of tasks.keys()) {
      if (tasks.size <= tasksMax) break;
      tasks.delete(oldest);
    }
  }

  async function readTask(call: ToolCall): Promise<Answer> {
    const { request, cancel } = call;
    const taskId = request.params?.['taskId'];
    const params = typeof taskId === 'string' ? tasks.get(taskId) : undefined;
    if (!params) return failed(request.id, 'This gateway knows of no call that runs as this task, so its result cannot be judged.', -32602);
    call.isForwarded = true;
    const answer = await untilAborted(ask(request), cancel.signal);
    const wait = waitOf(call);
    wait.begin();
    try {
      const name = judgedName(params.name);
      const result = 'result' in answer ? answer.result : { error: answer.error };
      const event: PolicyEventInput = { toolResult: { name, result, call: { name, arguments: params.arguments } } };
      const { verdict, reason, decidedBy, data, id, elicitation } = await countersign.evaluate({ sessionId: await session.id(cancel.signal), event }, wait.options);
      if (verdict !== 'ALLOW') throw new DeniedError({ phase: 'TOOL_RESULT', reason: reason ?? 'Denied.', decidedBy, evaluationId: id, elicitationId: elicitation?.id ?? null });
      const shown = data === null ? result : (data as { result: Result }).result;
      return 'result' in answer ? { ...answer, result: replacedResult(shown) } : { ...answer, ...replacedError(shown) };
    } finally {
      wait.end();
    }
  }

  /** Whatever goes wrong has an answer, and none of them is the server's own. */
  async function answered(call: ToolCall, work: (call: ToolCall) => Promise<Answer>): Promise<Answer> {
    const { id } = call.request;
    try {
      return await work(call);
    } catch (error) {
      if (error instanceof DeniedError) return { jsonrpc: '2.0', id, result: deniedResult(error) };
      if (error instanceof UpstreamFault) return failed(id, `${error.message}.`);
      if (error instanceof CountersignError) return { jsonrpc: '2.0', id, result: deniedResult(undecided(call, error)) };
      const why = error instanceof Error ? error.message : String(error);
      return failed(id, call.isForwarded ? `The result cannot be given: ${why}` : `The tool was not run: ${why}`, -32603);
    }
  }

  function hold(call: ToolCall, work: (call: ToolCall) => Promise<Answer>): Promise<Answer> {
    const answer = answered(call, work);
    held.add(answer);
    void answer.then(() => held.delete(answer));
    return answer;
  }

  return {
    call: (call) => hold(call, runCall),
    taskResult: (call) => hold(call, readTask),
    noteProgress: (notification) => notes.hear(notification),
    async close() {
      await Promise.all([...held, session.close()]);
    },
  };
}

function undecided({ isForwarded }: ToolCall, error: CountersignError): UndecidedError {
  return new UndecidedError({ phase: isForwarded ? 'TOOL_RESULT' : 'TOOL_CALL', reason: `Not permitted, for nobody could decide: ${error.message}`, evaluationId: null, elicitationId: null, cause: error });
}

function withArguments(request: JSONRPCRequest, effective: object): JSONRPCRequest {
  const isAsItWas = request.params?.['arguments'] === undefined && Object.keys(effective).length === 0;
  return isAsItWas ? request : { ...request, params: { ...request.params, arguments: effective } };
}

/** What policies have made of an error; one that they left alone is as it was. */
function replacedError(result: unknown): Pick<JSONRPCErrorResponse, 'error'> {
  const { error } = typeof result === 'object' && result !== null && 'error' in result ? result : { error: null };
  const isError = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number' && 'message' in error && typeof error.message === 'string';
  return { error: isError ? (error as JSONRPCErrorResponse['error']) : { code: -32603, message: typeof result === 'string' ? result : JSON.stringify(result) } };
}

