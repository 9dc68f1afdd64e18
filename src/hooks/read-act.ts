import type { Json, JsonObject } from '../sdk/json.ts';
import { PayloadFault, type Act, type HostSession, type Reading } from './host.ts';
import { objectIn, textIn } from './json.ts';

/** The field's text. Throws a `PayloadFault` where there is none. */
export function needText(payload: JsonObject, ...fields: readonly [string, ...string[]]): string {
  const text = textIn(payload, ...fields);
  if (text === null) throw new PayloadFault(`the payload has no text ${fields.map((field) => `"${field}"`).join(' or ')}`);
  return text;
}

/** The field's object, `{}` where it is left out. Throws a `PayloadFault` where it is something else: nobody could be shown what would run. */
export function needObject(payload: JsonObject, field: string): JsonObject {
  const object = objectIn(payload, field);
  if (object) return object;
  if (payload[field] == null) return {};
  throw new PayloadFault(`"${field}" in the payload is no object`);
}

/** The session that most hosts' payloads name: a sub-agent has a session of its own below it. */
export function sessionIn(payload: JsonObject): HostSession {
  const sessionId = needText(payload, 'session_id');
  const agentId = textIn(payload, 'agent_id');
  const place = { directory: textIn(payload, 'cwd'), model: textIn(payload, 'model') };
  return agentId === null ? { id: sessionId, parentId: null, ...place } : { id: `${sessionId}/${agentId}`, parentId: sessionId, ...place };
}

/** What of an act the host's file has to say; the rest follows from the event. */
type ActParts = Omit<Act, 'kind' | 'moment' | 'identify'> & Partial<Pick<Act, 'identify'>>;

export function act(parts: ActParts): Act {
  return { identify: ({ name, arguments: args }) => ({ name, arguments: args }), ...parts, kind: 'act', moment: 'toolResult' in parts.event ? 'after' : 'before' };
}

/** An event that we know and have nothing to say to. Throws a `PayloadFault` for any other one: what it is about to do is unknown. */
export function unjudged(eventName: string, known: readonly string[]): Reading {
  if (known.includes(eventName)) return { kind: 'unjudged' };
  throw new PayloadFault(`${JSON.stringify(eventName)} is no event that this hook knows`);
}

const resultCharsMax = 200_000;

/** A tool's result as evaluatePolicy takes it: of one that is too long to be sent the beginning. */
export function result(value: Json | undefined): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  if (text.length > resultCharsMax) return `${text.slice(0, resultCharsMax)}…`;
  return value ?? null;
}
