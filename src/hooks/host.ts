import type { Json, JsonObject } from '../sdk/json.ts';
import type { Settings } from './settings.ts';

/** A coding agent: how it tells what it is about to do, and in which words it takes the answer. One file each, all listed in index.ts. */
export interface Host {
  /** As the command line and sessions name it. */
  readonly name: string;
  readonly title: string;
  /** How long it lets a hook run where its settings do not say. */
  readonly timeoutSeconds: number;
  /** Throws a `PayloadFault` where the payload lacks what the event must have. `eventName`: from the command line, for hosts whose payloads do not name their event. */
  read(payload: JsonObject, eventName: string | null): Reading;
  /** Null: the host has no words for this answer, so that nothing but a denial is left. A denial it can always phrase. */
  phrase(act: Act, answer: Answer): Output | null;
  /** Whether it runs the tool after its hook for an event before the act has ended so, by its documentation. */
  runsAfter(ending: Ending): boolean;
  readonly settings: Settings;
}

/** `unjudged`: an event that we know and have nothing to say to. */
export type Reading = Act | { readonly kind: 'unjudged' };

/** Something that the host asks or tells about. */
export interface Act {
  readonly kind: 'act';
  /** The host's name of the event. */
  readonly eventName: string;
  /** `before`: what fails must deny. `after`: it has happened, and what fails must not harm the agent's work. */
  readonly moment: 'before' | 'after';
  readonly session: HostSession;
  readonly event: ActEvent;
  /** What tells this act from others of its session, e.g. the id of the tool use; null: the host gives nothing, so it may be one that came by another event already. */
  readonly id: string | null;
  /** What identifies a tool call by whichever event it comes. */
  identify(call: ToolCall): Json;
}

/** A session of the host. A sub-agent's has a parent. */
export interface HostSession {
  readonly id: string;
  readonly parentId: string | null;
  readonly directory: string | null;
  readonly model: string | null;
}

/** As evaluatePolicy takes it. */
export type ActEvent =
  | { readonly request: { readonly content: string } }
  | { readonly toolCall: ToolCall }
  | { readonly toolResult: { readonly name: string; readonly result: Json; readonly call: ToolCall } };

export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** `instead`: what counts in place of what was judged: of a call its arguments, else text; null: nothing was changed. */
export type Answer = { readonly verdict: 'ALLOW'; readonly instead: JsonObject | string | null } | { readonly verdict: 'DENY'; readonly reason: string };

/** What the hook's process leaves behind. Only these exit codes are safe: most hosts take any other one for permission. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

/** How a hook's process ended, as its host sees it. Exit code null: it was killed, or the host's time was up. */
export interface Ending {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  /** The settings have the host's fail-closed switch, where it has one. */
  readonly failsClosed: boolean;
}

/** A payload that is not what the host's documentation says. */
export class PayloadFault extends Error {
  override readonly name = 'PayloadFault';
}

export function printed(json: JsonObject): Output {
  return { stdout: `${JSON.stringify(json)}\n`, stderr: '', exitCode: 0 };
}

/** As text, for hosts that take nothing else. */
export function inText(instead: JsonObject | string): string {
  return typeof instead === 'string' ? instead : JSON.stringify(instead);
}

export const nothing: Output = Object.freeze({ stdout: '', stderr: '', exitCode: 0 });
