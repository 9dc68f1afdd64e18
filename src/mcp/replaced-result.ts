import type { Result } from '@modelcontextprotocol/sdk/types.js';

/** A tool's result as it may be shown: a policy that rewrites it gives a text, which is the JSON of a result, or anything else, which becomes one. */
export function replacedResult(shown: unknown): Result {
  const value = typeof shown === 'string' ? (parsed(shown) ?? shown) : shown;
  if (isResult(value)) return value;
  return { content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isResult(value) ? value : null;
  } catch {
    return null;
  }
}

/** A result of a tool, or the task that it runs as. */
function isResult(value: unknown): value is Result {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
