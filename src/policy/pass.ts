import type { Phase, PolicyEvent } from './event.ts';
import type { FactName, GivenFacts, Judge } from './handler.ts';
import type { Json, JsonObject } from './json.ts';
import type { Writes } from './write-ledger.ts';

export const policyLevels = ['SERVER', 'AGENT', 'SESSION'] as const;

export type PolicyLevel = (typeof policyLevels)[number];

/** Narrows the events that a policy judges. `toolName` narrows TOOL_CALL and TOOL_RESULT to one exact name. */
export interface PolicySelector {
  readonly phase: Phase;
  readonly toolName: string | null;
}

/** A policy as the engine runs it: already built, in its place in the evaluation order. */
export interface RunnablePolicy {
  readonly name: string;
  readonly level: PolicyLevel;
  /** The handler's name. */
  readonly handler: string;
  /** Any one must match. Already resolved: the policy's own selectors, else one per phase of its handler. */
  readonly on: readonly PolicySelector[];
  /** Label → allowed values; AND across labels, OR within a list. An absent label never matches. Null: always. */
  readonly condition: Readonly<Record<string, readonly string[]>> | null;
  /** The label keys that it may write. Null: any that is not reserved. */
  readonly writableLabels: readonly string[] | null;
  /** Null: the session's default counts. */
  readonly askTimeoutSeconds: number | null;
  /** Its handler's `needs`, for whoever looks the facts up. The engine does not read it. */
  readonly needs?: readonly FactName[];
  readonly judge: Judge;
}

/** One event before all policies of a session, with the facts as they are at the start. */
export interface Pass {
  readonly event: PolicyEvent;
  readonly facts: GivenFacts;
  /** In evaluation order. */
  readonly policies: readonly RunnablePolicy[];
  /** Label key → the values that policies may write to it. Keys without an entry are free. */
  readonly labelValues: Readonly<Record<string, readonly string[]>>;
  /** Microseconds of a monotonic clock, for the steps' durations. Default: durations are 0. */
  readonly clock?: () => number;
}

export const policyOutcomes = ['SKIPPED', 'ABSTAINED', 'ALLOWED', 'ASKED', 'DENIED', 'FAILED'] as const;

export type PolicyOutcome = (typeof policyOutcomes)[number];

/** What became of one policy in a pass, in evaluation order. Policies after a denial are SKIPPED. */
export interface PolicyStep {
  readonly policy: string;
  readonly handler: string;
  readonly level: PolicyLevel;
  readonly outcome: PolicyOutcome;
  readonly reason: string | null;
  readonly durationMicroseconds: number;
}

/** The policies' common answer. `data` null: nothing was rewritten. */
export type Decision =
  | { readonly verdict: 'ALLOW'; readonly data: Json; readonly writes: Writes; readonly steps: readonly PolicyStep[] }
  | {
      readonly verdict: 'DENY';
      /** The one that denied. */
      readonly policy: string;
      readonly reason: string;
      /** Those of policies that allowed, and the denier's. Empty after a failure. */
      readonly writes: Writes;
      /** What a failing policy threw; undefined where the policy denied by judgement. For the log, never for the caller. */
      readonly failure?: unknown;
      readonly steps: readonly PolicyStep[];
    }
  | {
      readonly verdict: 'ASK';
      /** All that asked, in order. */
      readonly policies: readonly string[];
      /** `<policy>: <reason>` of each asker, joined by `; `. */
      readonly message: string;
      readonly data: Json;
      /** Of every policy that ran; to be applied on accept only. */
      readonly writes: Writes;
      /** The shortest of the askers' own timeouts; null where none has one. */
      readonly askTimeoutSeconds: number | null;
      /** The checkpoint key that all askers gave; null where one gave none or another. */
      readonly checkpoint: string | null;
      /** The first asker's form; {} where it gave none. */
      readonly requestedSchema: JsonObject;
      readonly steps: readonly PolicyStep[];
    };
