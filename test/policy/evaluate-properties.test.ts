import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyStateUpdates,
  evaluate,
  phases,
  StateTypeError,
  type Decision,
  type Json,
  type JsonObject,
  type Opinion,
  type PolicySelector,
  type RunnablePolicy,
  type StateUpdate,
} from '../../src/policy/index.ts';
import { facts, passOf, policy, throwing, toolCall } from './support/pass.ts';

/** The same cases in every run; `PROPERTY_SEED` of the environment explores others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });

/** Few keys and values, so that policies meet each other's writes. */
const key = fc.constantFrom('n', 'list', 'text', '__proto__', 'constructor');
const value: fc.Arbitrary<Json> = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('x', null, true), fc.constant([]), fc.constant({ a: 1 }));
const state = fc.array(fc.tuple(key, value), { maxLength: 4 }).map((members): JsonObject => Object.fromEntries(members));
const stateUpdate: fc.Arbitrary<StateUpdate> = fc.oneof(
  fc.record({ key, action: fc.constant('set' as const), value }),
  fc.record({ key, action: fc.constant('append' as const), value }),
  fc.record({ key, action: fc.constant('increment' as const), value: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ key, action: fc.constant('delete' as const) }),
);
const labels = fc.dictionary(fc.constantFrom('env', 'tier', '__own', 'team'), fc.constantFrom('a', 'b', 'c'), { maxKeys: 3 });
const data: fc.Arbitrary<Json> = fc.oneof(
  fc.dictionary(fc.constantFrom('command', 'cwd'), fc.string({ maxLength: 3 })).map((args) => ({ name: 'Bash', arguments: args })),
  fc.constantFrom<Json>('not a call', { name: 'Write', arguments: {} }),
);
const effects = { stateUpdates: fc.array(stateUpdate, { maxLength: 2 }), setLabels: labels };
const opinion: fc.Arbitrary<Opinion> = fc.oneof(
  fc.constant<Opinion>({ kind: 'abstain' }),
  fc.record({ kind: fc.constant('allow' as const), ...effects, data }, { requiredKeys: ['kind'] }),
  fc.record({ kind: fc.constant('ask' as const), reason: fc.constantFrom('', 'why'), ...effects, data }, { requiredKeys: ['kind', 'reason'] }),
  fc.record({ kind: fc.constant('deny' as const), reason: fc.constantFrom('no', 'never'), ...effects }, { requiredKeys: ['kind', 'reason'] }),
);
const selector: fc.Arbitrary<PolicySelector> = fc.record({ phase: fc.constantFrom(...phases, 'TOOL_CALL' as const), toolName: fc.constantFrom(null, 'Bash', 'Read') });
const settings = fc.record(
  {
    on: fc.array(selector, { minLength: 1, maxLength: 3 }),
    condition: fc.dictionary(fc.constantFrom('env', 'tier'), fc.subarray(['a', 'b']), { maxKeys: 2 }),
    writableLabels: fc.subarray(['env', 'tier', '__own']),
    askTimeoutSeconds: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: [] },
);

/** A policy as a value, so that the model can read what the engine only runs. */
interface Plan {
  readonly opinion: Opinion | 'throws';
  readonly settings: Partial<RunnablePolicy>;
}

const plan: fc.Arbitrary<Plan> = fc.record({ opinion: fc.oneof({ weight: 12, arbitrary: opinion }, { weight: 1, arbitrary: fc.constant('throws' as const) }), settings });
const plans = fc.array(plan, { maxLength: 6 });
const labelValues = { tier: ['a', 'b'] };

function build(all: readonly Plan[]): RunnablePolicy[] {
  return all.map(({ opinion, settings }, index) => {
    const built = opinion === 'throws' ? throwing(`p${index}`, new Error('x')) : policy(`p${index}`, opinion);
    return { ...built, ...settings };
  });
}

function decide(all: readonly RunnablePolicy[], start: { state: JsonObject; labels: Record<string, string> }): Decision {
  return evaluate(passOf(all, { event: toolCall('Bash', { command: 'ls' }), facts: facts(start), labelValues }));
}

const start = fc.record({ state, labels });

describe('an evaluation, whatever the policies say', () => {
  it('is a pure function: the same input gives the same decision and stays as it was', () => {
    fc.assert(
      fc.property(plans, start, (all, begin) => {
        const before = JSON.stringify([all, begin]);
        const policies = build(all);
        expect(decide(policies, begin)).toEqual(decide(policies, begin));
        expect(JSON.stringify([all, begin])).toBe(before);
      }),
    );
  });

  it('does not change when a policy joins that has no opinion', () => {
    fc.assert(
      fc.property(plans, start, fc.nat({ max: 6 }), (all, begin, place) => {
        const policies = build(all);
        const joined = policies.toSpliced(place, 0, policy('indifferent', { kind: 'abstain' }));
        const { steps: _, ...without } = decide(policies, begin);
        const { steps: __, ...withIt } = decide(joined, begin);
        expect(withIt).toEqual(without);
      }),
    );
  });

  it('never loosens because one more policy judges', () => {
    const strictness = { ALLOW: 0, ASK: 1, DENY: 2 };
    fc.assert(
      fc.property(plans, plan, start, (all, extra, begin) => {
        const policies = build(all);
        const before = strictness[decide(policies, begin).verdict];
        const joined = strictness[decide([...policies, ...build([extra]).map((one) => ({ ...one, name: 'extra' }))], begin).verdict];
        expect(joined).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('never turns a denial into anything else, wherever a policy joins that only judges', () => {
    const judging = fc.constantFrom<Opinion>({ kind: 'allow' }, { kind: 'ask', reason: '?' }, { kind: 'deny', reason: 'no' });
    fc.assert(
      fc.property(plans, judging, fc.tuple(start, fc.nat({ max: 6 })), (all, extra, [begin, place]) => {
        const policies = build(all);
        fc.pre(decide(policies, begin).verdict === 'DENY');
        expect(decide(policies.toSpliced(place, 0, policy('extra', extra)), begin).verdict).toBe('DENY');
      }),
      { numRuns: 200 },
    );
  });

  it('notes a step for every policy, in order', () => {
    fc.assert(
      fc.property(plans, start, (all, begin) => {
        const decision = decide(build(all), begin);
        expect(decision.steps.map((step) => step.policy)).toEqual(all.map((_, index) => `p${index}`));
        const end = decision.steps.findIndex((step) => step.outcome === 'DENIED' || step.outcome === 'FAILED');
        expect(end >= 0).toBe(decision.verdict === 'DENY');
        if (end >= 0) expect(decision.steps.slice(end + 1).every((step) => step.outcome === 'SKIPPED')).toBe(true);
      }),
    );
  });

  it('wants only writes that fit the state', () => {
    fc.assert(
      fc.property(plans, start, (all, begin) => {
        const { writes } = decide(build(all), begin);
        expect(() => applyStateUpdates(begin.state, writes.stateUpdates)).not.toThrow();
      }),
    );
  });

  it('agrees with a model that writes the rules down one after the other', () => {
    fc.assert(
      fc.property(plans, start, (all, begin) => {
        const { verdict, writes, ...rest } = decide(build(all), begin);
        const wanted = model(all, begin);
        expect({ verdict, writes }).toEqual({ verdict: wanted.verdict, writes: wanted.writes });
        if (verdict === 'ASK') expect(rest).toMatchObject({ policies: wanted.askers, data: wanted.data, askTimeoutSeconds: wanted.timeout });
        if (verdict === 'ALLOW') expect(rest).toMatchObject({ data: wanted.data });
        if (verdict === 'DENY') expect(rest).toMatchObject({ policy: wanted.denier });
      }),
      { numRuns: 2000 },
    );
  });
});

interface Modelled {
  verdict: 'ALLOW' | 'DENY' | 'ASK';
  writes: { stateUpdates: StateUpdate[]; labels: Record<string, string> };
  askers: string[];
  denier: string | null;
  data: Json;
  timeout: number | null;
}

function model(all: readonly Plan[], begin: { state: JsonObject; labels: Record<string, string> }): Modelled {
  const ran: { by: string; name: string; updates: StateUpdate[]; labels: Record<string, string>; timeout: number | null }[] = [];
  let data: Json = null;
  const failed = (denier: string): Modelled => ({ verdict: 'DENY', writes: { stateUpdates: [], labels: {} }, askers: [], denier, data: null, timeout: null });
  const writesOf = (entries: typeof ran): Modelled['writes'] => ({
    stateUpdates: entries.flatMap((entry) => entry.updates),
    labels: Object.assign({}, ...entries.map((entry) => entry.labels)) as Record<string, string>,
  });
  for (const [index, { opinion, settings }] of all.entries()) {
    const name = `p${index}`;
    const on = settings.on ?? [{ phase: 'TOOL_CALL', toolName: null }];
    if (!on.some((one) => one.phase === 'TOOL_CALL' && (one.toolName === null || one.toolName === 'Bash'))) continue;
    if (Object.entries(settings.condition ?? {}).some(([label, values]) => !values.some((one) => one === begin.labels[label]))) continue;
    if (opinion === 'throws') return failed(name);
    if (opinion.kind === 'abstain') continue;
    const mayWrite = (label: string, to: string): boolean =>
      !label.startsWith('__') && (settings.writableLabels?.includes(label) ?? true) && (label !== 'tier' || to === 'a' || to === 'b');
    ran.push({
      by: opinion.kind,
      name,
      updates: [...(opinion.stateUpdates ?? [])],
      labels: Object.fromEntries(Object.entries(opinion.setLabels ?? {}).filter(([label, to]) => mayWrite(label, to))),
      timeout: settings.askTimeoutSeconds ?? null,
    });
    const firm = ran.filter((entry) => entry.by !== 'ask');
    const mustFit = opinion.kind === 'deny' ? [firm] : opinion.kind === 'ask' ? [ran] : [ran, firm];
    if (!mustFit.every((entries) => modelState(begin.state, writesOf(entries).stateUpdates))) return failed(name);
    if (opinion.kind === 'deny') return { ...failed(name), writes: writesOf(firm) };
    if (opinion.data !== undefined) {
      if (typeof opinion.data !== 'object' || !JSON.stringify(opinion.data).includes('"Bash"')) return failed(name);
      data = opinion.data;
    }
  }
  const asked = ran.filter((entry) => entry.by === 'ask');
  const timeouts = asked.flatMap((entry) => entry.timeout ?? []);
  return {
    verdict: asked.length > 0 ? 'ASK' : 'ALLOW',
    writes: writesOf(ran),
    askers: asked.map((entry) => entry.name),
    denier: null,
    data,
    timeout: timeouts.length > 0 ? Math.min(...timeouts) : null,
  };
}

/** The state as a list of pairs, or null where an update does not fit. */
function modelState(begin: JsonObject, updates: readonly StateUpdate[]): readonly (readonly [string, Json])[] | null {
  let pairs: (readonly [string, Json])[] = Object.entries(begin);
  for (const update of updates) {
    const stored = pairs.find(([name]) => name === update.key)?.[1];
    let next: Json | undefined;
    if (update.action === 'set') next = update.value;
    if (update.action === 'increment') {
      if (stored !== undefined && typeof stored !== 'number') return null;
      next = (stored ?? 0) + update.value;
    }
    if (update.action === 'append') {
      if (stored !== undefined && stored !== null && !Array.isArray(stored)) return null;
      next = [...((stored ?? []) as Json[]), update.value];
    }
    pairs = pairs.filter(([name]) => name !== update.key);
    if (next !== undefined) pairs.push([update.key, next]);
  }
  return pairs;
}

describe('applying state updates', () => {
  it('agrees with a model that keeps the state as a list of pairs, and changes neither state nor updates', () => {
    fc.assert(
      fc.property(state, fc.array(stateUpdate, { maxLength: 8 }), (begin, updates) => {
        const before = JSON.stringify([begin, updates]);
        const wanted = modelState(begin, updates);
        if (wanted === null) {
          expect(() => applyStateUpdates(begin, updates)).toThrow(StateTypeError);
        } else {
          const byKey = (pairs: readonly (readonly [string, Json])[]) => pairs.toSorted(([a], [b]) => (a < b ? -1 : 1));
          const after = applyStateUpdates(begin, updates);
          expect(byKey(Object.entries(after))).toEqual(byKey(wanted));
          expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
        }
        expect(JSON.stringify([begin, updates])).toBe(before);
      }),
      { numRuns: 2000 },
    );
  });
});
