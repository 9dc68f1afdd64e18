import type { PolicyEvent } from '../../event.ts';
import { readToolCall } from '../../tool-call.ts';
import { findTool } from '../../tool-name.ts';

/** The names of the called tool. Throws where the payload's name is there and no text: what would run is unknown. */
export function calledTools(event: Extract<PolicyEvent, { type: 'tool_call' }>): readonly string[] {
  const data: unknown = event.data;
  const name: unknown = typeof data === 'object' && data !== null && 'name' in data ? data.name : null;
  if (name && typeof name !== 'string') throw new TypeError('The name of a tool is a text.');
  if (name === null || name === '' || name === undefined) return [];
  return readToolCall(event)?.names ?? [];
}

/** The sum over all configured names that mean one of the tools; both `fetch` and `google__fetch` mean `google__fetch`. */
export function pointsOf(tools: readonly string[], configured: ReadonlyMap<string, number>): number {
  if (configured.size === 0) return 0;
  const meant = new Set<string>();
  for (const tool of tools) {
    findTool(tool, {
      has(key) {
        if (configured.has(key)) meant.add(key);
        return false; // so that the shorter names are tried as well
      },
    });
  }
  return [...meant].reduce((sum, key) => sum + (configured.get(key) ?? 0), 0);
}
