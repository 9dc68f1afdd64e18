import type { PolicyEvent } from './event.ts';
import { evaluateOrAsk } from './evaluate.ts';
import type { Decision } from './pass.ts';
import type { GivenFacts } from './handler.ts';
import type { Json, JsonObject } from './json.ts';
import { OpenQuestion, type ModelAnswer, type ModelQuestion } from './model-question.ts';
import type { ParamsIssue } from './params-issues.ts';
import type { Registry } from './registry.ts';
import { readSimulatedUsage } from './simulated-usage.ts';

/**
 * One event before one handler, as a policy of that name on a session would judge it. Nothing but what is given counts. An answer that
 * `answerTo` does not have (undefined) is an open question: ask it, and simulate again.
 */
export function simulate(simulation: Simulation, registry: Registry, answerTo: (question: ModelQuestion) => ModelAnswer | undefined): Simulated {
  const { event, clock } = simulation;
  const handler = registry.find(simulation.handler);
  if (!handler) return unfit([{ path: ['handler'], message: `There is no handler ${JSON.stringify(simulation.handler)}.` }]);
  const { name, phases } = handler;
  const built = handler.build(simulation.params);
  if (built.kind === 'invalidParams') return unfit(built.issues.map(({ path, message }) => ({ path: ['params', ...path], message })));
  const facts = factsOf(simulation);
  if (facts.kind === 'unfit') return facts;
  const policy = {
    name,
    level: 'SESSION' as const,
    handler: name,
    on: phases.map((phase) => ({ phase, toolName: null })),
    condition: null,
    writableLabels: null,
    askTimeoutSeconds: null,
    judge: built.judge,
  };
  const decision = evaluateOrAsk({ event, facts: facts.facts, policies: [policy], labelValues: {}, ...(clock ? { clock } : {}) }, answerTo);
  return decision instanceof OpenQuestion ? { kind: 'openQuestion', question: decision.question } : { kind: 'simulated', decision };
}

/** What is left out is empty, or unknown. */
export interface Simulation {
  readonly handler: string;
  readonly params: JsonObject | null;
  readonly event: PolicyEvent;
  /** On whose behalf the agent acts. */
  readonly runAs: string;
  readonly state?: JsonObject | null | undefined;
  /** Their values are texts. */
  readonly labels?: JsonObject | null | undefined;
  /** What was used so far: see `readSimulatedUsage`. */
  readonly usage?: JsonObject | null | undefined;
  readonly model?: string | null | undefined;
  readonly harness?: string | null | undefined;
  /** Microseconds of a monotonic clock. Default: the step's duration is 0. */
  readonly clock?: () => number;
}

export type Simulated =
  | { readonly kind: 'simulated'; readonly decision: Decision }
  | { readonly kind: 'openQuestion'; readonly question: ModelQuestion }
  /** Something of it cannot be; a path begins with the field's name. */
  | Unfit;

interface Unfit {
  readonly kind: 'unfit';
  readonly issues: readonly ParamsIssue[];
}

function unfit(issues: readonly ParamsIssue[]): Unfit {
  return { kind: 'unfit', issues };
}

function factsOf({ state, labels, usage, model, harness, runAs }: Simulation): { kind: 'facts'; facts: GivenFacts } | Unfit {
  const used = readSimulatedUsage(usage ?? {}, runAs);
  const texts = Object.entries(labels ?? {});
  const issues = texts.filter(([, value]) => !isText(value)).map(([key]) => ({ path: ['labels', key], message: 'The value of a label is a text.' }));
  if (used.kind === 'invalid') return unfit([...issues, ...used.issues.map(({ path, message }) => ({ path: ['usage', ...path], message }))]);
  if (issues.length > 0) return unfit(issues);
  const facts = { state: state ?? {}, labels: Object.fromEntries(texts) as GivenFacts['labels'], model: model ?? null, harness: harness ?? null, actor: { run_as: runAs } };
  return { kind: 'facts', facts: { ...facts, ...used.facts } };
}

function isText(value: Json): value is string {
  return typeof value === 'string';
}
