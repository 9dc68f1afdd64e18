import { z } from 'zod';
import { phases as allPhases, type Phase, type PolicyEvent } from './event.ts';
import { freezeDeep } from './frozen-json.ts';
import type { JsonObject } from './json.ts';
import type { ModelAnswer, ModelQuestion } from './model-question.ts';
import { InvalidParams, paramsIssues, type ParamsIssue } from './params-issues.ts';
import { silenceStrayPromise } from './stray-promise.ts';
import type { DailyCostFact, UsageFact } from './usage-facts.ts';
import type { Opinion } from './verdict.ts';

/**
 * Makes a handler from its definition: `judge` where one function does it, `create` where params are worth preparing.
 * Throws a TypeError on a definition that could never judge, and on a schema that JSON Schema cannot express; the handler's `build`
 * never throws.
 */
export function defineHandler<Params extends z.ZodObject = NoParams, Needs extends FactName = never>(
  definition: JudgeDefinition<Params, Needs> | FactoryDefinition<Params, Needs>,
): Handler {
  const { name, title, description, phases, needs = [], params } = definition;
  const issue = handlerIssue({ name, title, description, phases, needs }) ?? workIssue(definition);
  if (issue !== null) throw new TypeError(`defineHandler ${JSON.stringify(name)}: ${issue}`);
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

/**
 * What keeps this from being a handler's outside; null: nothing. JavaScript and casts get past the types, and a handler of a phase that
 * does not exist would never judge, without a word.
 */
export function handlerIssue({ name, title, description, phases, needs }: { readonly [Key in 'name' | 'title' | 'description' | 'phases' | 'needs']: unknown }): string | null {
  if (typeof name !== 'string' || !handlerName.test(name)) return 'name must be <family>.<name> in lower snake case, e.g. mail.ask_before_external';
  if (!isProse(title)) return 'title must be a text for people';
  if (!isProse(description)) return 'description must be a text for people';
  if (!isListOf(phases, allPhases) || phases.length === 0) return `phases must be a list of some of ${allPhases.join(', ')}`;
  if (!isListOf(needs, Object.keys(factNames))) return `needs must be a list of some of ${Object.keys(factNames).join(', ')}`;
  return null;
}

export const handlerName = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

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

const factNames: Readonly<Record<FactName, true>> = { state: true, labels: true, model: true, harness: true, actor: true, usage: true, subtreeUsage: true, userDailyCost: true };

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

function isProse(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isListOf(value: unknown, known: readonly string[]): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => known.includes(item as string));
}

function workIssue(definition: object): string | null {
  const { judge, create, params } = definition as { readonly judge?: unknown; readonly create?: unknown; readonly params?: Partial<z.ZodObject> };
  if (typeof ('create' in definition ? create : judge) !== 'function') return 'there must be a function judge, or a function create that gives one';
  return params === undefined || params._zod?.def.type === 'object' ? null : 'params must be a z.object of zod 4';
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
