import type { Json, JsonObject } from './json.ts';

/** The six moments of an agent's loop that can be judged. Spelled as in the SDL; a policy event's `type` is its lower case. */
export const phases = ['REQUEST', 'RESPONSE', 'TOOL_CALL', 'TOOL_RESULT', 'LLM_REQUEST', 'LLM_RESPONSE'] as const;

export type Phase = (typeof phases)[number];

/** What is being judged. Field names and shapes are those of the system that Countersign replaces, so that its expressions and vectors run unchanged. */
export type PolicyEvent =
  | { readonly type: 'request'; readonly target: null; readonly data: RequestData }
  | { readonly type: 'response'; readonly target: null; readonly data: string }
  | { readonly type: 'tool_call'; readonly target: string; readonly data: ToolCallData }
  | { readonly type: 'tool_result'; readonly target: string; readonly data: ToolResultData; readonly request_data?: ToolCallData }
  | { readonly type: 'llm_request'; readonly target: null; readonly data: JsonObject }
  | { readonly type: 'llm_response'; readonly target: null; readonly data: JsonObject };

export type EventType = PolicyEvent['type'];

export interface RequestData {
  readonly user_content: string;
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly filename: string | null;
  readonly content_type: string | null;
  readonly text: string | null;
}

export interface ToolCallData {
  readonly name: string;
  readonly arguments: JsonObject;
}

export interface ToolResultData {
  readonly result: Json;
}

const phaseOfType: Record<EventType, Phase> = {
  request: 'REQUEST',
  response: 'RESPONSE',
  tool_call: 'TOOL_CALL',
  tool_result: 'TOOL_RESULT',
  llm_request: 'LLM_REQUEST',
  llm_response: 'LLM_RESPONSE',
};

export function phaseOf(event: PolicyEvent): Phase {
  return phaseOfType[event.type];
}
