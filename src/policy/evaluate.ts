import { phaseOf, type PolicyEvent } from './event.ts';
import { freezeDeep } from './frozen-json.ts';
import type { Facts, GivenFacts, JudgeInput } from './handler.ts';
import type { Json } from './json.ts';
import { permittedLabels } from './labels.ts';
import { OpenQuestion, type ModelAnswer, type ModelQuestion } from './model-question.ts';
import { readOpinion } from './opinion.ts';
import type { Decision, Pass, PolicyOutcome, PolicySelector, PolicyStep, RunnablePolicy } from './pass.ts';
import { replaceData } from './replacement.ts';
import type { Opinion } from './verdict.ts';
import { noWrites, WriteLedger } from './write-ledger.ts';

/**
 * Puts one event before all policies, in order. The first denial ends the pass; asks add up; what throws, denies. All
 * policies see the same facts, and the payload as the ones before them rewrote it.
 *
 * Event and facts are frozen in place, so that no policy can change what others see. A fact that is frozen already is
 * taken to be frozen through and through: freeze a cached state once, with `freezeDeep`, and passes cost nothing for it.
 */
export function evaluate(pass: Pass): Decision {
  return runThrough(pass, () => notConfigured);
}

/**
 * The same, where a model may be asked: an answer that `answerTo` does not have (undefined) is an open question. Ask it, and run the
 * pass again, from the start and with the facts as they are then.
 */
export function evaluateOrAsk(pass: Pass, answerTo: (question: ModelQuestion) => ModelAnswer | undefined): Decision | OpenQuestion {
  try {
    return runThrough(pass, askingFor(answerTo));
  } catch (thrown) {
    if (thrown instanceof OpenQuestion) return thrown;
    throw thrown;
  }
}

/** As `evaluateOrAsk`, one policy per step, so that whoever runs it can let others run in between. The pass is over when it returns. */
export function* evaluateInSteps(pass: Pass, answerTo: (question: ModelQuestion) => ModelAnswer | undefined): Generator<undefined, Decision | OpenQuestion, undefined> {
  const run = new Run(pass, askingFor(answerTo));
  try {
    for (const policy of pass.policies) {
      run.put(policy);
      yield;
    }
    return run.decision();
  } catch (thrown) {
    if (thrown instanceof OpenQuestion) return thrown;
    throw thrown;
  }
}

const notConfigured: ModelAnswer = Object.freeze({ kind: 'notConfigured' });

type AskModel = JudgeInput['askModel'];

function askingFor(answerTo: (question: ModelQuestion) => ModelAnswer | undefined): AskModel {
  return (question) => {
    const answer = answerTo(question);
    if (!answer) throw new OpenQuestion(question);
    return answer;
  };
}

function runThrough(pass: Pass, askModel: AskModel): Decision {
  const run = new Run(pass, askModel);
  for (const policy of pass.policies) run.put(policy);
  return run.decision();
}

type Asker = { readonly policy: RunnablePolicy; readonly opinion: Extract<Opinion, { kind: 'ask' }>; readonly reason: string };

/** One pass under way. */
class Run {
  readonly #pass: Pass;
  readonly #steps: PolicyStep[] = [];
  readonly #askers: Asker[] = [];
  readonly #ledger: WriteLedger;
  #input: JudgeInput;
  #data: Json = null;
  #denial: Decision | null = null;

  constructor(pass: Pass, askModel: AskModel) {
    this.#pass = pass;
    this.#ledger = new WriteLedger(pass.facts.state);
    // Some may be missing; a judge made by defineHandler throws where it needs such a one.
    this.#input = Object.freeze({ event: freezeDeep(pass.event), facts: frozenFacts(pass.facts) as Facts, askModel });
  }

  /** Lets one policy judge, unless an earlier one denied or it does not fire. */
  put(policy: RunnablePolicy): void {
    if (this.#denial) return this.#note(policy, { outcome: 'SKIPPED' });
    const startedAt = this.#pass.clock?.();
    try {
      if (!fires(policy, this.#input)) return this.#note(policy, { outcome: 'SKIPPED' });
      const { judge } = policy;
      this.#take(policy, { opinion: readOpinion(judge(this.#input)), startedAt });
    } catch (thrown) {
      if (thrown instanceof OpenQuestion) throw thrown;
      const reason = `Policy "${policy.name}" failed to judge this event.`;
      const failure = thrown ?? new Error(`${String(thrown)} was thrown.`);
      this.#denial = { verdict: 'DENY', policy: policy.name, reason, writes: noWrites, failure, steps: this.#steps };
      this.#note(policy, { outcome: 'FAILED', reason, startedAt });
    }
  }

  decision(): Decision {
    if (this.#denial) return this.#denial;
    const common = { data: this.#data, writes: this.#ledger.all(), steps: this.#steps };
    const [first, ...others] = this.#askers;
    if (!first) return { verdict: 'ALLOW', ...common };
    return {
      verdict: 'ASK',
      policies: this.#askers.map((asker) => asker.policy.name),
      message: this.#askers.map((asker) => `${asker.policy.name}: ${asker.reason}`).join('; '),
      askTimeoutSeconds: shortest(this.#askers.map((asker) => asker.policy.askTimeoutSeconds)),
      checkpoint: others.every((other) => other.opinion.checkpoint === first.opinion.checkpoint) ? (first.opinion.checkpoint ?? null) : null,
      requestedSchema: first.opinion.requestedSchema ?? {},
      ...common,
    };
  }

  /** Throws where the opinion's replacement or writes do not fit; then nothing of the pass is written. */
  #take(policy: RunnablePolicy, { opinion, startedAt }: { opinion: Opinion; startedAt: number | undefined }): void {
    switch (opinion.kind) {
      case 'abstain':
        return this.#note(policy, { outcome: 'ABSTAINED', startedAt });
      case 'allow':
        this.#record(policy, opinion);
        this.#replace(opinion.data);
        return this.#note(policy, { outcome: 'ALLOWED', startedAt });
      case 'ask': {
        const reason = opinion.reason.trim() === '' ? 'approval required' : opinion.reason;
        this.#record(policy, opinion);
        this.#replace(opinion.data);
        this.#askers.push({ policy, opinion, reason });
        return this.#note(policy, { outcome: 'ASKED', reason, startedAt });
      }
      case 'deny': {
        const { reason } = opinion;
        this.#record(policy, opinion);
        this.#denial = { verdict: 'DENY', policy: policy.name, reason, writes: this.#ledger.withoutAsks(), steps: this.#steps };
        return this.#note(policy, { outcome: 'DENIED', reason, startedAt });
      }
      default:
        opinion satisfies never;
    }
  }

  #record(policy: RunnablePolicy, opinion: Exclude<Opinion, { kind: 'abstain' }>): void {
    const { stateUpdates = [], setLabels, kind } = opinion;
    const rules = { writableLabels: policy.writableLabels, labelValues: this.#pass.labelValues };
    this.#ledger.add({ by: kind, stateUpdates, labels: setLabels ? permittedLabels(setLabels, rules) : [] });
  }

  #replace(data: Json | undefined): void {
    if (data === undefined || data === null) return;
    const replacement = replaceData(this.#input.event, data);
    this.#data = replacement.data;
    this.#input = Object.freeze({ ...this.#input, event: replacement.event });
  }

  #note(policy: RunnablePolicy, { outcome, reason, startedAt }: Note): void {
    const { clock } = this.#pass;
    const durationMicroseconds = clock && startedAt !== undefined ? Math.max(0, Math.round(clock() - startedAt)) : 0;
    const { name, handler, level } = policy;
    this.#steps.push({ policy: name, handler, level, outcome, reason: reason ?? null, durationMicroseconds });
  }
}

interface Note {
  readonly outcome: PolicyOutcome;
  readonly reason?: string;
  readonly startedAt?: number | undefined;
}

/** Selectors first, then the condition, which knows the labels as they were before the pass. */
function fires(policy: RunnablePolicy, { event, facts }: JudgeInput): boolean {
  const phase = phaseOf(event);
  if (!policy.on.some((selector) => selector.phase === phase && selectsTool(selector, event))) return false;
  for (const [key, values] of policy.condition === null ? [] : Object.entries(policy.condition)) {
    const label = Object.hasOwn(facts.labels, key) ? facts.labels[key] : undefined;
    if (label === undefined || !values.includes(label)) return false;
  }
  return true;
}

/** A payload that names another tool than the target counts as both. Other phases have no tool to narrow. */
function selectsTool({ toolName }: PolicySelector, event: PolicyEvent): boolean {
  if (toolName === null) return true;
  if (event.type === 'tool_call') return event.target === toolName || event.data.name === toolName;
  if (event.type === 'tool_result') return event.target === toolName || event.request_data?.name === toolName;
  return true;
}

function frozenFacts(facts: GivenFacts): GivenFacts {
  for (const fact of Object.values(facts)) {
    if (!Object.isFrozen(fact)) freezeDeep(fact);
  }
  return Object.freeze(facts);
}

function shortest(timeouts: readonly (number | null)[]): number | null {
  const set = timeouts.filter((timeout) => timeout !== null);
  return set.length === 0 ? null : Math.min(...set);
}
