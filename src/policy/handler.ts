import { z } from 'zod';
import type { Phase, PolicyEvent } from './event.ts';
import { freezeDeep } from './frozen-json.ts';
import type { JsonObject } from './json.ts';
import type { ModelAnswer, ModelQuestion } from './model-question.ts';
import { InvalidParams, paramsIssues, type ParamsIssue } from './params-issues.ts';
import { silenceStrayPromise } from './stray-promise.ts';
import type { DailyCostFact, UsageFact } from './usage-facts.ts';
import type { Opinion } from './verdict.ts';

/**
 * Makes a handler from its definition: `judge` where one function does it, `create` where params are worth preparing.
 * Throws only on a schema that JSON Schema cannot express; the handler's `build` never throws.
 */
export function defineHandler<Params extends z.ZodObject = NoParams, Needs extends FactName = never>(
  definition: JudgeDefinition<Params, Needs> | FactoryDefinition<Params, Needs>,
): Handler {
  const { name, title, description, phases, needs = [], params } = definition;
  const parameters = params ? describeParams(params) : null;
  const create = createOf(definition);
  return Object.freeze<Handler>({
    name,
    title,
    description,
    kind: parameters ? 'FACTORY' : 'CALLABLE',
    phases: Object.freeze([...phases]),
    needs: Object.freeze([...needs]),
    paramsSchema: parameters?.jsonSchema ?? null,
    build(given) {
      try {
        const read = parameters ? parameters.read(given ?? {}) : readNoParams(name, given);
        if (read.kind === 'invalidParams') return read;
        const judge: unknown = create(read.params as z.output<Params>);
        silenceStrayPromise(judge);
        if (typeof judge !== 'function') return refusal([unexplained(name)]);
        const needed = definition.needsFor?.(read.params as z.output<Params>) ?? needs;
        return { kind: 'built', judge: withFacts(judge as Judge, needed), needs: needed };
      } catch (error) {
        return refusal(error instanceof InvalidParams ? error.issues : [unexplained(name)]);
      }
    },
  });
}

export type { ParamsIssue };

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
  /** What the whole tree of sessions has used: the root, and all below it. */
  readonly usage: UsageFact;
  /** What this session and its descendants have used. */
  readonly subtreeUsage: UsageFact;
  /** What the session's owner has spent today. */
  readonly userDailyCost: DailyCostFact;
}

export type FactName = keyof Facts;

/** The facts that the gate has to look up. A pass without handlers that need them may leave them out. */
export type CountedFactName = (typeof countedFacts)[number];

export const countedFacts = ['usage', 'subtreeUsage', 'userDailyCost'] as const;

/** The facts of a pass. A policy that needs one that is missing fails, and so denies. */
export type GivenFacts = Omit<Facts, CountedFactName> & Partial<Pick<Facts, CountedFactName>>;

/** Judges one event. Pure: same input, same opinion. A throw is a denial. */
export type Judge<Needs extends FactName = FactName> = (input: JudgeInput<Needs>) => Opinion;

/** Frozen through and through: a judge that writes to it throws, and so denies. */
export interface JudgeInput<Needs extends FactName = FactName> {
  readonly event: PolicyEvent;
  readonly facts: Pick<Facts, Needs>;
  /**
   * What the language model says to this. Call it before anything else that counts, and do not catch what it throws: a question that
   * has no answer yet ends the pass, and a new one starts when the answer is there.
   */
  readonly askModel: (question: ModelQuestion) => ModelAnswer;
}

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
  | { readonly kind: 'built'; readonly judge: Judge; readonly needs: readonly FactName[] }
  | { readonly kind: 'invalidParams'; readonly issues: readonly ParamsIssue[] };

interface HandlerDefinition<Params extends z.ZodObject, Needs extends FactName> {
  name: string;
  title: string;
  description: string;
  phases: readonly Phase[];
  needs?: readonly Needs[];
  /** Those of `needs` that a policy with these params needs. Omitted: all. */
  needsFor?(params: z.output<Params>): readonly Needs[];
  /** Omitted: the handler takes no params. Unknown keys are refused, whether or not the schema is strict. */
  params?: Params;
}

interface JudgeDefinition<Params extends z.ZodObject, Needs extends FactName> extends HandlerDefinition<Params, Needs> {
  judge(input: JudgeInput<Needs>, params: z.output<Params>): Opinion;
}

interface FactoryDefinition<Params extends z.ZodObject, Needs extends FactName> extends HandlerDefinition<Params, Needs> {
  /**
   * Runs once when the policy is built; use it to prepare what `judge` would else redo for each event. Throw
   * `InvalidParams` to say what is wrong with params that the schema admits; any other throw refuses the policy too.
   */
  create(params: z.output<Params>): Judge<Needs>;
}

/** A budget that finds no spending because nobody looked it up would allow everything: without a fact that it needs a judge throws. */
function withFacts(judge: Judge, needs: readonly FactName[]): Judge {
  const counted = countedFacts.filter((name) => needs.includes(name));
  if (counted.length === 0) return judge;
  return (input) => {
    const facts: GivenFacts = input.facts;
    for (const name of counted) if (facts[name] === undefined) throw new TypeError(`The fact "${name}" is needed and not given.`);
    return judge(input);
  };
}

type NoParams = z.ZodObject<Record<string, never>>;

function createOf<Params extends z.ZodObject, Needs extends FactName>(
  definition: JudgeDefinition<Params, Needs> | FactoryDefinition<Params, Needs>,
): (params: z.output<Params>) => Judge<Needs> {
  if ('create' in definition) return (params) => definition.create(params);
  return (params) => (input) => definition.judge(input, params);
}

type InvalidParamsResult = Extract<BuiltHandler, { kind: 'invalidParams' }>;

type ReadParams = { readonly kind: 'read'; readonly params: unknown } | InvalidParamsResult;

function describeParams(params: z.ZodObject): { jsonSchema: JsonObject; read(given: JsonObject): ReadParams } {
  const schema = params.strict();
  const jsonSchema = jsonSchemaOf(schema);
  return {
    jsonSchema,
    read(given) {
      const parsed = schema.safeParse(given, { reportInput: true });
      return parsed.success ? { kind: 'read', params: parsed.data } : refusal(paramsIssues(parsed.error, jsonSchema));
    },
  };
}

/** Draft 7, the one that every validator takes without being told. Of the input, so that a key with a default is optional. */
function jsonSchemaOf(schema: z.ZodObject): JsonObject {
  const jsonSchema = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema: { _zod }, jsonSchema: node }) => {
      // zod leaves out a default behind which it preprocesses.
      if (_zod.def.type === 'default') node.default ??= _zod.def.defaultValue;
      // zod spells out the range of safe integers, which tells a person nothing.
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
    },
  });
  return freezeDeep(JSON.parse(JSON.stringify(jsonSchema)) as JsonObject);
}

function readNoParams(name: string, given: JsonObject | null): ReadParams {
  const keys = Object.keys(given ?? {});
  if (keys.length === 0) return { kind: 'read', params: {} };
  return refusal(keys.map((key) => ({ path: [key], message: `Unknown parameter: ${name} takes none.` })));
}

function refusal(issues: readonly ParamsIssue[]): InvalidParamsResult {
  return { kind: 'invalidParams', issues };
}

/** What was thrown may be a bug's text or a secret, so it is not shown. */
function unexplained(name: string): ParamsIssue {
  return { path: [], message: `${name} cannot work with these params; its description says what it needs.` };
}
