import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage, type JSONRPCNotification, type JSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '../sdk/index.ts';
import { createClientDialogs } from './client-dialogs.ts';
import { createIntroduction } from './introduction.ts';
import { failed, type Answer } from './answer.ts';
import { createToolGate, type ToolCall } from './tool-gate.ts';
import { UpstreamFault } from './upstream-fault.ts';

export interface Gateway {
  /** The MCP client's side. */
  readonly client: Transport;
  /** The MCP server's side. */
  readonly upstream: Transport;
  readonly countersign: Client;
  /** The agent that sessions belong to; null: one that is named like the MCP client. */
  readonly agent: string | null;
  /** Gateways with the same one share a session; null: a session of this gateway's own. */
  readonly sessionKey: string | null;
  /** Tools are judged as `mcp__<server>__<tool>`; null: under their own names. */
  readonly serverName: string | null;
  /** The client has gone, or we are told to stop. */
  readonly left: AbortSignal;
  /** What the operator is to know, a line each. */
  readonly report: (line: string) => void;
}

/**
 * Stands between an MCP client and a server until the client leaves. Every message passes unchanged in both directions, but for calls of
 * tools and their results: a call reaches the server on ALLOW alone, and its result the client. A request without an id is no notification of
 * MCP, but a careless server might run it: it is not passed on. Rejects with an UpstreamFault when the
 * server cannot be started, or ends.
 */
export async function runGateway(gateway: Gateway): Promise<void> {
  const { client, upstream, left, report } = gateway;
  const introduction = createIntroduction();
  /** Requests that the server has and that are not answered: it cannot answer anything else. */
  const asked = new Map<RequestId, (answer: Answer) => void>();
  const calls = new Map<RequestId, ToolCall>();
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<undefined>();

  const send = (message: JSONRPCMessage) => void client.send(message).catch((error: unknown) => report(`The client cannot be reached: ${textOf(error)}`));
  const dialogs = createClientDialogs({ countersign: gateway.countersign, introduction, send, report });
  const gate = createToolGate({ ...gateway, introduction, dialogs, send, ask: (request) => new Promise((resolve) => ask(request, resolve)) });

  let notified: Promise<unknown> = Promise.resolve(); // what follows a notification must not overtake it, as it would over HTTP
  function forward(message: JSONRPCMessage, onFailure: (error: unknown) => void): void {
    const sent = notified.then(() => upstream.send(message)).catch(onFailure);
    if (isJSONRPCNotification(message)) notified = sent;
  }

  function ask(request: JSONRPCRequest, answered: (answer: Answer) => void): void {
    asked.set(request.id, answered);
    forward(request, (error) => settle(failed(request.id, `The MCP server cannot be reached: ${textOf(error)}`)));
  }

  function settle(answer: Answer): void {
    const answered = answer.id === undefined ? undefined : asked.get(answer.id);
    if (answer.id === undefined || !answered) return; // to what was cancelled, or was never asked
    asked.delete(answer.id);
    answered(answer);
  }

  function fromClient(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) answerClient(message);
    else if (isJSONRPCNotification(message)) notifyServer(message);
    else if (!dialogs.take(message)) forward(message, (error) => report(`The MCP server did not get an answer: ${textOf(error)}`));
  }

  function answerClient(request: JSONRPCRequest): void {
    if (asked.has(request.id) || calls.has(request.id)) send(failed(request.id, `There is a request ${request.id} already, which is not answered yet.`, -32600));
    else if (request.method === 'tools/call') takeCall(request, (call) => gate.call(call));
    else if (request.method === 'tasks/result') takeCall(request, (call) => gate.taskResult(call));
    else {
      if (request.method === 'initialize') introduction.hear(request);
      ask(request, (answer) => {
        if (request.method === 'initialize' && 'result' in answer) {
          const revision = introduction.agree(answer.result);
          upstream.setProtocolVersion?.(revision);
        }
        send(answer);
      });
    }
  }

  function takeCall(request: JSONRPCRequest, answer: (call: ToolCall) => Promise<Answer>): void {
    const call: ToolCall = { request, cancel: new AbortController(), isForwarded: false };
    calls.set(request.id, call);
    void answer(call).then((message) => {
      calls.delete(request.id);
      if (call.cancel.signal.reason !== cancelled) send(message);
    });
  }

  function notifyServer(notification: JSONRPCNotification): void {
    if (!notification.method.startsWith('notifications/')) return report(`The client sent ${JSON.stringify(notification.method)} without an id: it is not passed on, for nobody could judge it`);
    const id = notification.method === 'notifications/cancelled' ? (notification.params?.['requestId'] as RequestId | undefined) : undefined;
    const call = id === undefined ? undefined : calls.get(id);
    if (call) call.cancel.abort(cancelled);
    if (id !== undefined) asked.delete(id);
    if (!call || call.isForwarded) forward(notification, (error) => report(`The MCP server did not get a notification: ${textOf(error)}`));
  }

  function fromServer(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) send(message);
    else if (isJSONRPCNotification(message)) {
      gate.noteProgress(message);
      send(message);
    } else settle(message);
  }

  client.onmessage = fromClient;
  client.onerror = (error) => report(`The client sent what is no message of MCP: ${firstLine(error)}`);
  upstream.onmessage = fromServer;
  upstream.onclose = () => fail(new UpstreamFault('The MCP server has ended'));
  const leave = () => end(undefined);
  left.addEventListener('abort', leave, { once: true });
  if (left.aborted) leave();

  try {
    await upstream.start().catch((error: unknown) => {
      throw new UpstreamFault(`The MCP server cannot be started: ${textOf(error)}`);
    });
    upstream.onerror = (error) => report(`The MCP server: ${firstLine(error)}`);
    await client.start();
    await ended;
  } finally {
    const reason = left.aborted ? cancelled : new UpstreamFault('The MCP server has ended');
    for (const { cancel } of calls.values()) cancel.abort(reason);
    for (const id of [...asked.keys()]) settle(failed(id, 'The MCP server has ended.'));
    upstream.onclose = () => undefined;
    await Promise.all([gate.close(), upstream.close().catch(() => undefined)]);
  }
}

const cancelled = new DOMException('The client has cancelled the call.', 'AbortError');

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function firstLine(error: Error): string {
  return error.message.trim().split('\n', 1)[0] ?? '';
}
