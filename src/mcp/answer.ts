import type { CallToolResult, JSONRPCErrorResponse, JSONRPCResponse, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { DecisionSource, DeniedError } from '../sdk/index.ts';

/** What a request is answered with: a result or an error. */
export type Answer = JSONRPCResponse;

/** The server is not there, or its answer cannot be used. */
const serverError = -32_000;

export function failed(id: RequestId, message: string, code: number = serverError): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** A refusal in a tool's words, for the model: why, who said so, and whether the tool was run. Programs find the same in `_meta`. */
export function deniedResult(denial: DeniedError): CallToolResult {
  const { phase, reason, decidedBy, evaluationId, elicitationId } = denial;
  const wasRun = phase === 'TOOL_RESULT';
  const lines = [
    wasRun ? `The tool was run, but its result is withheld: ${reason}` : `The tool was not run: ${reason}`,
    `Decided by ${decidedBy === null ? 'nobody' : (deciders[decidedBy] ?? decidedBy)}${elicitationId === null ? '' : `, elicitation ${elicitationId}`}.`,
  ];
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true, _meta: { 'countersign/denial': { phase, reason, decidedBy, evaluationId, elicitationId, wasRun } } };
}

const deciders: Readonly<Partial<Record<DecisionSource, string>>> = { POLICY: 'a policy', PERSON: 'a person', EXPIRY: 'nobody in time', CANCELLATION: 'a cancellation', FAILURE: 'a failure' };
