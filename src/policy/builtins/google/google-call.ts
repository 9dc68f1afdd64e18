import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { PolicyEvent } from '../../event.ts';
import { abstain, type Opinion } from '../../verdict.ts';
import { readGoogleTool, type GoogleTool, type Service } from './google-tool.ts';

/** A call of a service's tool. */
export interface GoogleCall {
  readonly tool: GoogleTool;
  readonly arguments: JsonObject;
}

/** The calls that an event is, one for each of its names that means a tool of the service: the payload's and the target's may differ. */
export function googleCalls(event: PolicyEvent, service: Service, serverPrefixes: readonly string[] | null): readonly GoogleCall[] {
  if (event.type !== 'tool_call') return [];
  const data = event.data as unknown as Json;
  if (!isJsonObject(data)) return [];
  const args = data['arguments'];
  const names = [...new Set<Json>([data['name'] ?? null, event.target])].filter((name) => typeof name === 'string');
  return names.flatMap((name) => {
    const tool = readGoogleTool(name, service, serverPrefixes);
    return tool ? [{ tool, arguments: isJsonObject(args) ? args : {} }] : [];
  });
}

/** Of several opinions the strictest, the first where they are equally strict. */
export function strictest(opinions: readonly Opinion[]): Opinion {
  return opinions.find(({ kind }) => kind === 'deny') ?? opinions.find(({ kind }) => kind === 'ask') ?? opinions[0] ?? abstain();
}
