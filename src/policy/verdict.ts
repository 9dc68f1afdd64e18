import type { Json, JsonObject } from './json.ts';

export const verdicts = ['ALLOW', 'DENY', 'ASK'] as const;

export type Verdict = (typeof verdicts)[number];

/** One operation on the session's state. `increment` counts a missing key as 0, `append` as an empty list; `delete` of a missing key is fine. */
export type StateUpdate =
  | { readonly key: string; readonly action: 'set'; readonly value: Json }
  | { readonly key: string; readonly action: 'increment'; readonly value: number }
  | { readonly key: string; readonly action: 'append'; readonly value: Json }
  | { readonly key: string; readonly action: 'delete' };

/** What a policy wants written. On an ask nothing is written until a person accepts. */
export interface Effects {
  readonly stateUpdates?: readonly StateUpdate[];
  /** Label key → value. Keys that are reserved, not writable for the policy, or not among the label's defined values are dropped. */
  readonly setLabels?: Readonly<Record<string, string>>;
}

/** What one policy says of one event. */
export type Opinion =
  | { readonly kind: 'abstain' }
  | ({ readonly kind: 'allow'; readonly data?: Json } & Effects)
  | ({ readonly kind: 'deny'; readonly reason: string } & Effects)
  | ({ readonly kind: 'ask'; readonly reason: string; readonly data?: Json } & AskOptions & Effects);

export interface AskOptions {
  /** Asks of one session with the same key share one elicitation. */
  readonly checkpoint?: string;
  /** MCP's restricted JSON Schema of a form to fill in on accept. Default: none, plain accept or decline. */
  readonly requestedSchema?: JsonObject;
}

export function abstain(): Opinion {
  return { kind: 'abstain' };
}

/** No objection. `data` replaces the payload that the following policies and the caller see. */
export function allow(effects: Effects & { data?: Json } = {}): Opinion {
  return { kind: 'allow', ...effects };
}

/** Ends the pass: the event is denied for this reason. */
export function deny(reason: string, effects: Effects = {}): Opinion {
  return { kind: 'deny', reason, ...effects };
}

/** A person must decide. An empty reason reads `approval required`. */
export function ask(reason: string, options: AskOptions & Effects & { data?: Json } = {}): Opinion {
  return { kind: 'ask', reason, ...options };
}

export function set(key: string, value: Json): StateUpdate {
  return { key, action: 'set', value };
}

export function increment(key: string, value: number): StateUpdate {
  return { key, action: 'increment', value };
}

export function append(key: string, value: Json): StateUpdate {
  return { key, action: 'append', value };
}

export function remove(key: string): StateUpdate {
  return { key, action: 'delete' };
}
