import { describe, expect, it } from 'vitest';
import { phases, set, type Json, type JsonObject } from '../../../../src/policy/index.ts';
import { costBudget } from '../../../../src/policy/builtins/cost/cost-budget.ts';
import { subagentCostBudget } from '../../../../src/policy/builtins/cost/subagent-cost-budget.ts';
import { request, usage } from '../../support/pass.ts';
import { decide, spent } from './budget-of.ts';

const params = { max_cost_usd: 5, ask_thresholds_usd: [1, 3], expensive_models: ['opus'] };
const approvalKey = '_policy_cost_ask_approved_usd';
const unpricedKey = '_policy_cost_unpriced_approved';

function verdict(usd: unknown, { state = {}, model = 'vendor-opus', given = params }: { state?: JsonObject; model?: unknown; given?: JsonObject } = {}): string {
  return decide(costBudget, given, { usage: spent(usd), state, model }).verdict;
}

describe('spending', () => {
  it.for([
    [0, 'ALLOW'],
    [0.99, 'ALLOW'],
    [1, 'ASK'],
    [4.999, 'ASK'],
    [5, 'DENY'],
    [1e12, 'DENY'],
    [Infinity, 'DENY'],
    ['6', 'DENY'],
    [' 5.00 ', 'DENY'],
    ['1e1', 'DENY'],
    ['.5', 'ALLOW'],
    ['+2', 'ASK'],
    ['inf', 'DENY'],
    ['Infinity', 'DENY'],
  ] as const)('of %j gives %s', ([usd, wanted]) => {
    expect(verdict(usd)).toBe(wanted);
  });

  it('is judged in requests and tool calls, where the policy names no phases', () => {
    expect(costBudget.phases).toEqual(phases.filter((phase) => phase === 'REQUEST' || phase === 'TOOL_CALL'));
    expect(decide(costBudget, params, { usage: spent(9), event: request('go on') }).verdict).toBe('DENY');
  });

  it('at a checkpoint asks with what was spent, shares the answer, and writes it', () => {
    expect(decide(costBudget, params, { usage: spent(4.999) })).toMatchObject({
      verdict: 'ASK',
      message: 'budget: This session and its sub-agents have cost $4.999. From $3.00 on a person must agree.',
      checkpoint: 'cost.cost_budget:3',
      writes: { stateUpdates: [set(approvalKey, 3)] },
    });
  });

  it('beyond the limit says what may go on', () => {
    expect(decide(costBudget, { max_cost_usd: 0.05 }, { usage: spent(0.0625) })).toMatchObject({ reason: 'This session and its sub-agents have cost $0.0625. The limit is $0.05.' });
    expect(decide(costBudget, params, { usage: spent(5), model: 'opus' })).toMatchObject({ reason: expect.stringContaining('Models that are not on the list of expensive ones may go on.') });
  });
});

describe('spending that nobody can tell', () => {
  it.for<[string, unknown]>([
    ['tokens without a price', spent(undefined)],
    ['tokens with an empty price', spent(null)],
    ['a price in words', spent('n/a')],
    ['a price that is no number', spent('nan')],
    ['a price in other digits', spent('0x10')],
    ['a price below zero', spent(-3)],
    ['a price below zero, as a text', spent('-3')],
    ['a price that is a truth', spent(true)],
    ['a price that is a list', spent([1])],
    ['a price without an end', spent('9'.repeat(1_000_000))],
    ['a price in words, without tokens', { total_cost_usd: 'n/a' }],
    ['a single token', { output_tokens: 1 }],
    ['cached tokens only', { cache_read_input_tokens: 5 }],
    ['tokens written as a text', { total_tokens: '12' }],
    ['tokens below zero', { input_tokens: -1 }],
  ])('%s: asks once', ([, known]) => {
    expect(decide(costBudget, params, { usage: known })).toMatchObject({ verdict: 'ASK', checkpoint: 'cost.unpriced', writes: { stateUpdates: [set(unpricedKey, true)] } });
    expect(decide(costBudget, params, { usage: known, state: { [unpricedKey]: true } }).verdict).toBe('ALLOW');
  });

  it.for<[string, unknown]>([
    ['no usage', undefined],
    ['null', null],
    ['an empty object', {}],
    ['an empty list', []],
    ['nothing recorded', usage()],
    ['no tokens and no price yet', { ...usage(), total_cost_usd: null }],
  ])('is not %s', ([, known]) => {
    // An embedder that leaves the fact out is told so; vectors leave it out as an empty one.
    expect(decide(costBudget, params, { usage: known }).verdict).toBe(known === undefined ? 'DENY' : 'ALLOW');
  });

  it.for([[1], 'lots', 7, true])('denies where the usage is %j', (known) => {
    expect(decide(costBudget, params, { usage: known })).toMatchObject({ verdict: 'DENY', failure: expect.any(TypeError) });
  });

  it.for<[Json, string]>([
    [true, 'ALLOW'],
    [1, 'ALLOW'],
    ['yes', 'ALLOW'],
    ['true', 'ALLOW'],
    [false, 'ASK'],
    [0, 'ASK'],
    [null, 'ASK'],
    ['', 'ASK'],
    ['false', 'ASK'],
    [' No ', 'ASK'],
    ['0', 'ASK'],
    [[], 'ASK'],
    [{}, 'ASK'],
  ])('is approved by %j: %s', ([stored, wanted]) => {
    expect(verdict(undefined, { state: { [unpricedKey]: stored } })).toBe(wanted);
  });
});

describe('an approved checkpoint', () => {
  it.for<[Json, unknown, string]>([
    [1, 2.99, 'ALLOW'],
    [1, 3, 'ASK'],
    [3, 4, 'ALLOW'],
    [3, 5, 'DENY'],
    [0.5, 1.5, 'ASK'],
    ['1.0', 1.5, 'ALLOW'],
    [null, 1.5, 'ASK'],
    [true, 1.5, 'ASK'],
    [[3], 1.5, 'ASK'],
    [-1, 1.5, 'ASK'],
    ['lots', 1.5, 'DENY'],
    ['inf', 1.5, 'DENY'],
    ['nan', 1.5, 'DENY'],
    ['', 1.5, 'DENY'],
    ['-1', 1.5, 'DENY'],
  ])('%j, at $%s: %s', ([stored, usd, wanted]) => {
    expect(verdict(usd, { state: { [approvalKey]: stored } })).toBe(wanted);
  });

  it('of a day or a sub-agent is not this one', () => {
    expect(verdict(1.5, { state: { _policy_user_daily_ask_approved_usd: 3, subagent_cost_ask_approved_usd: 3 } })).toBe('ASK');
  });

  it('lets a cheap model go on beyond the limit without another question', () => {
    expect(verdict(50, { model: 'haiku' })).toBe('ALLOW');
  });
});

describe('beyond the limit, the model', () => {
  it.for<[unknown, string]>([
    ['opus', 'DENY'],
    ['Vendor/OPUS-4.8', 'DENY'],
    ['ｏｐｕｓ', 'DENY'],
    ['o\u200bpus', 'DENY'],
    ['o\u00adpus', 'DENY'],
    ['\u043epus', 'DENY'], // a Cyrillic о
    ['', 'DENY'],
    ['   ', 'DENY'],
    ['\u200b', 'DENY'],
    [null, 'DENY'],
    [5, 'DENY'],
    [['haiku'], 'DENY'],
    [`${'x'.repeat(1000)}opus`, 'DENY'],
    ['corpus-small', 'ALLOW'], // as in the reference system: the letters are c-o-r-p-u-s
    ['o-p-u-s', 'ALLOW'],
    ['haiku', 'ALLOW'],
    ['vendor/sonnet:thinking', 'ALLOW'],
  ])('%j: %s', ([model, wanted]) => {
    expect(decide(costBudget, params, { usage: spent(9), model }).verdict).toBe(wanted);
  });

  it.for<[JsonObject, string]>([
    [{ max_cost_usd: 5 }, 'any'],
    [{ max_cost_usd: 5, expensive_models: null }, 'any'],
    [{ max_cost_usd: 5, expensive_models: [] }, 'any'],
  ])('may be %j: then it is %s', ([given]) => {
    expect(verdict(9, { given, model: 'haiku' })).toBe('DENY');
  });

  it('is not looked for by the blanks around a word of the list', () => {
    expect(verdict(9, { given: { max_cost_usd: 5, expensive_models: [' OPUS '] } })).toBe('DENY');
  });
});

describe('params', () => {
  it.for<JsonObject>([
    {},
    { max_cost_usd: null },
    { ask_thresholds_usd: [] },
    { max_cost_usd: 0 },
    { max_cost_usd: -1 },
    { max_cost_usd: '5' },
    { max_cost_usd: true },
    { max_cost_usd: Infinity },
    { max_cost_usd: NaN },
    { ask_thresholds_usd: [0] },
    { ask_thresholds_usd: [-1] },
    { ask_thresholds_usd: [Infinity] },
    { ask_thresholds_usd: [NaN] },
    { ask_thresholds_usd: ['inf'] },
    { ask_thresholds_usd: ['abc'] },
    { ask_thresholds_usd: ['-1'] },
    { ask_thresholds_usd: [''] },
    { ask_thresholds_usd: [true] },
    { ask_thresholds_usd: [null] },
    { ask_thresholds_usd: 3 },
    { max_cost_usd: 5, ask_thresholds_usd: [5] },
    { max_cost_usd: 5, ask_thresholds_usd: [1, 6] },
    { max_cost_usd: 5, expensive_models: [''] },
    { max_cost_usd: 5, expensive_models: ['  '] },
    { max_cost_usd: 5, expensive_models: ['\u200b'] },
    { max_cost_usd: 5, expensive_models: [5] },
    { max_cost_usd: 5, expensive_models: 'opus' },
    { max_cost_usd: 5, max_cost: 5 },
  ])('%j are refused', (given) => {
    for (const handler of [costBudget, subagentCostBudget]) expect(handler.build(given).kind).toBe('invalidParams');
  });

  it('say what is wrong', () => {
    expect(costBudget.build({ max_cost_usd: 5, ask_thresholds_usd: [1, 6] })).toMatchObject({
      issues: [{ path: ['ask_thresholds_usd', '1'], message: 'Must be less than max_cost_usd, which is 5: from there on calls are denied anyway.' }],
    });
    expect(costBudget.build({})).toMatchObject({ issues: [{ path: [], message: 'Give max_cost_usd or ask_thresholds_usd: a budget without both checks nothing.' }] });
  });

  it('take checkpoints in any order, twice, and as texts', () => {
    const given = { ask_thresholds_usd: ['2.5', 1, 1] };
    expect(decide(costBudget, given, { usage: spent(2.6) })).toMatchObject({ checkpoint: 'cost.cost_budget:2.5', writes: { stateUpdates: [set(approvalKey, 2.5)] } });
    expect(verdict(1e6, { given, state: { [approvalKey]: 2.5 } })).toBe('ALLOW');
  });

  it('have a schema that a form can be drawn from', () => {
    expect(costBudget.paramsSchema).toMatchObject({
      properties: {
        max_cost_usd: { title: 'Limit (USD)', description: expect.any(String), default: null },
        ask_thresholds_usd: { title: 'Checkpoints (USD)', description: expect.any(String) },
        expensive_models: { title: 'Expensive models', description: expect.any(String) },
      },
    });
    expect(costBudget.paramsSchema).not.toHaveProperty('required');
  });
});

it('writes nothing while it allows', () => {
  expect(decide(costBudget, params, { usage: spent(0.5) }).writes.stateUpdates).toEqual([]);
});
