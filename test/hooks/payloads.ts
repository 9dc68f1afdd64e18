import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../src/sdk/json.ts';

/** A payload as its host sends it, how it is to be read, and in which words each answer is to be given. */
export interface Recorded {
  readonly name: string;
  readonly payload: JsonObject;
  /** From the command line, where the host's payloads do not name their event. */
  readonly event?: string;
  readonly read: { readonly moment: 'before' | 'after'; readonly session: string; readonly parent?: string; readonly event: JsonObject; readonly id?: string | null };
  readonly allow: JsonObject | '';
  readonly deny: JsonObject;
  /** With `{ "command": "ls -la" }`, or the text "changed", instead of what was judged; null: the host has no words for it. */
  readonly changed: JsonObject | null;
}

export const reason = 'not now';
export const changedArguments = { command: 'ls -la' };
export const changedText = 'changed';

export function recordedBy(host: string): readonly Recorded[] {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, host, 'payloads.json'), 'utf8')) as Recorded[];
}

export function payload(host: string, name: string, over: JsonObject = {}): JsonObject {
  const recorded = recordedBy(host).find((each) => each.name === name);
  if (!recorded) throw new Error(`${host} has no recorded payload "${name}".`);
  return { ...recorded.payload, ...over };
}
