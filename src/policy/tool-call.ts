import type { PolicyEvent } from './event.ts';
import type { Json, JsonObject } from './json.ts';

/** A tool call as a judge reads it. Stored events and vectors come in shapes that `ToolCallData` does not admit; none may slip through. */
export interface ToolCall {
  /** What the call is named: the payload's name, and the target where it says something else. */
  readonly names: readonly string[];
  /** Empty where the payload has none. */
  readonly arguments: JsonObject;
}

/** The call of a TOOL_CALL event; null for other events. Throws on a name that is a list or an object. */
export function readToolCall(event: PolicyEvent): ToolCall | null {
  if (event.type !== 'tool_call') return null;
  const target: unknown = event.target;
  const data: unknown = event.data;
  const names = typeof target === 'string' ? [target] : [];
  if (!isObject(data)) return { names, arguments: {} };
  const name = data['name'];
  if (typeof name === 'object' && name !== null) throw new TypeError('The name of a tool is a text.');
  if (typeof name === 'string' && name !== target) names.unshift(name);
  return { names, arguments: isObject(data['arguments']) ? data['arguments'] : {} };
}

function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
