import { describe, expect, it } from 'vitest';
import { set, type JsonObject } from '../../../../src/policy/index.ts';
import { userDailyCostBudget } from '../../../../src/policy/builtins/cost/user-daily-cost-budget.ts';
import { decide, spent } from './budget-of.ts';

const params = { max_cost_usd: 25, ask_thresholds_usd: [10, 20], expensive_models: ['opus'] };
const approvalKey = '_policy_user_daily_ask_approved_usd';
const unpricedKey = '_policy_cost_unpriced_approved';
const day = (cost_usd: unknown, known: object = {}) => ({ cost_usd, ask_approved_usd: 0, user_id: 'ada', day: '2026-08-14', ...known });

describe('what the owner has spent today', () => {
  it.for<[unknown, unknown, string]>([
    [9.99, 0, 'ALLOW'],
    [10, 0, 'ASK'],
    [19.9, 10, 'ALLOW'],
    [20, 10, 'ASK'],
    [24, '20', 'ALLOW'],
    [25, 20, 'DENY'],
    ['30', 0, 'DENY'],
    [12, 'zzz', 'ASK'], // what cannot be read approves nothing
    [12, 'inf', 'ASK'],
    [12, -5, 'ASK'],
    [12, true, 'ASK'],
    [12, null, 'ASK'],
    [null, 0, 'ASK'],
    ['n/a', 0, 'ASK'],
    [-4, 0, 'ASK'],
    [[30], 0, 'ASK'],
  ])('%j, %j of it approved: %s', ([usd, approved, wanted]) => {
    expect(decide(userDailyCostBudget, params, { userDailyCost: day(usd, { ask_approved_usd: approved }), model: 'opus' }).verdict).toBe(wanted);
  });

  it('asks once for each checkpoint and day', () => {
    const asked = { message: expect.stringContaining("The owner's sessions have cost today $12.50. From $10.00 on"), writes: { stateUpdates: [set(approvalKey, 10)] } };
    expect(decide(userDailyCostBudget, params, { userDailyCost: day(12.5) })).toMatchObject({ ...asked, checkpoint: 'cost.user_daily_cost_budget:10:2026-08-14' });
    expect(decide(userDailyCostBudget, params, { userDailyCost: day(12.5, { day: undefined }) })).toMatchObject({ ...asked, checkpoint: 'cost.user_daily_cost_budget:10' });
  });

  it('is not what the session has cost, nor what was approved for it', () => {
    expect(decide(userDailyCostBudget, params, { usage: spent(500), userDailyCost: day(1) }).verdict).toBe('ALLOW');
    expect(decide(userDailyCostBudget, params, { userDailyCost: day(12), state: { _policy_cost_ask_approved_usd: 20, [approvalKey]: 20 } }).verdict).toBe('ASK');
  });

  it.for([5, 'much', [1]])('denies where it is %j', (userDailyCost) => {
    expect(decide(userDailyCostBudget, params, { userDailyCost })).toMatchObject({ verdict: 'DENY', failure: expect.any(TypeError) });
  });
});

describe('a session of tokens without a price', () => {
  const unpriced = (usd: number, state: JsonObject = {}) => decide(userDailyCostBudget, params, { usage: spent(undefined), userDailyCost: day(usd), model: 'opus', state });

  it('asks once', () => {
    expect(unpriced(1)).toMatchObject({ verdict: 'ASK', checkpoint: 'cost.unpriced', writes: { stateUpdates: [set(unpricedKey, true)] } });
    expect(unpriced(1, { [unpricedKey]: true }).verdict).toBe('ALLOW');
  });

  it('does not free its owner from the budget', () => {
    expect(unpriced(25).verdict).toBe('DENY');
    expect(unpriced(25, { [unpricedKey]: true }).verdict).toBe('DENY');
    expect(unpriced(12, { [unpricedKey]: true })).toMatchObject({ verdict: 'ASK', checkpoint: 'cost.user_daily_cost_budget:10:2026-08-14' });
  });
});

it.for<JsonObject>([{}, { ask_thresholds_usd: [1] }, { max_cost_usd: null }, { max_cost_usd: 0 }, { max_cost_usd: 1, ask_thresholds_usd: [1] }])('refuses the params %j', (given) => {
  expect(userDailyCostBudget.build(given).kind).toBe('invalidParams');
});

it('demands a limit in its schema', () => {
  expect(userDailyCostBudget.paramsSchema).toMatchObject({ required: ['max_cost_usd'] });
});
