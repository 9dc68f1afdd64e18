import { z } from 'zod';
import type { Phase, PolicyEvent } from './event.ts';
import type { JsonObject } from './json.ts';
import type { Opinion } from './verdict.ts';

/** What a handler may want to know beside the event. A handler names what it `needs`; the gate loads exactly that. */
export interface Facts {
  /** The session's state at the start of the pass. */
  readonly state: JsonObject;
  /** The session's labels at the start of the pass. */
  readonly labels: Readonly<Record<string, string>>;
  /** The model that the caller runs with now, else the session's. */
  readonly model: string | null;
  /** The harness that the caller runs in now, else the session's, e.g. `claude-code`. */
  readonly harness: string | null;
  /** On whose behalf the agent acts; from the credential, never from the input. */
  readonly actor: { readonly run_as: string };
}

export type FactName = keyof Facts;

/** Judges one event. Pure: same input, same opinion. A throw is a denial. */
export type Judge<Needs extends FactName = FactName> = (input: {
  readonly event: PolicyEvent;
  readonly facts: Pick<Facts, Needs>;
}) => Opinion;

/** A registered policy function, made with `defineHandler`. */
export interface Handler {
  /** `<family>.<name>`, e.g. `safety.ask_on_os_tools`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** CALLABLE takes no params; FACTORY takes params once and gives the judge. */
  readonly kind: 'CALLABLE' | 'FACTORY';
  /** The phases that it judges where the policy names none (`on`). */
  readonly phases: readonly Phase[];
  readonly needs: readonly FactName[];
  /** JSON Schema of the params; null for a CALLABLE. */
  readonly paramsSchema: JsonObject | null;
  /** Checks params in depth and builds the judge, or says what is wrong with them. */
  build(params: JsonObject | null): BuiltHandler;
}

export type BuiltHandler =
  | { readonly kind: 'built'; readonly judge: Judge }
  | { readonly kind: 'invalidParams'; readonly issues: readonly ParamsIssue[] };

export interface ParamsIssue {
  readonly path: readonly string[];
  readonly message: string;
}

interface HandlerDefinition<Params extends z.ZodObject, Needs extends FactName> {
  name: string;
  title: string;
  description: string;
  phases: readonly Phase[];
  needs?: readonly Needs[];
  /** Omitted: the handler takes no params. */
  params?: Params;
}

interface JudgeDefinition<Params extends z.ZodObject, Needs extends FactName> extends HandlerDefinition<Params, Needs> {
  judge(input: { event: PolicyEvent; facts: Pick<Facts, Needs> }, params: z.output<Params>): Opinion;
}

interface FactoryDefinition<Params extends z.ZodObject, Needs extends FactName> extends HandlerDefinition<Params, Needs> {
  /** Runs once when the policy is built; a throw refuses the policy. Use it to prepare what `judge` would else redo for each event. */
  create(params: z.output<Params>): Judge<Needs>;
}
