import type { PolicyEvent } from './event.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** A tool's result as a judge reads it. Stored events and vectors come in shapes that `ToolResultData` does not admit; none may slip through. */
export interface ToolResult {
  /** Null where the event does not say. */
  readonly tool: string | null;
  /** The payload itself where it is not wrapped in `result`. */
  readonly result: Json;
  /** The arguments of the call; null where the event does not tell. */
  readonly arguments: JsonObject | null;
  /** The name that the call was made by; null where the event does not tell. */
  readonly calledAs: string | null;
}

export function readToolResult(event: Extract<PolicyEvent, { type: 'tool_result' }>): ToolResult {
  const data: Json = event.data as unknown as Json;
  const call = event.request_data as unknown as Json | undefined;
  const target: unknown = event.target;
  const args = isJsonObject(call) ? call['arguments'] : null;
  const name = isJsonObject(call) ? call['name'] : null;
  return {
    tool: typeof target === 'string' ? target : null,
    result: isJsonObject(data) ? (data['result'] ?? null) : data,
    arguments: isJsonObject(args) ? args : null,
    calledAs: typeof name === 'string' ? name : null,
  };
}
