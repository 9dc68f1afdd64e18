import { expect, it } from 'vitest';
import { set } from '../../../../src/policy/index.ts';
import { subagentCostBudget } from '../../../../src/policy/builtins/cost/subagent-cost-budget.ts';
import { decide, spent } from './budget-of.ts';

const params = { max_cost_usd: 2, ask_thresholds_usd: [0.5, 1] };

it.for([
  [0.4, 'ALLOW'],
  [0.5, 'ASK'],
  [2, 'DENY'],
] as const)('judges the $%s of a sub-agent and of those below it, whatever the whole tree has cost: %s', ([usd, wanted]) => {
  expect(decide(subagentCostBudget, params, { usage: spent(99), subtreeUsage: spent(usd) }).verdict).toBe(wanted);
});

it('asks at checkpoints of its own', () => {
  const state = { _policy_cost_ask_approved_usd: 1 };
  expect(decide(subagentCostBudget, params, { subtreeUsage: spent(0.7), state })).toMatchObject({
    verdict: 'ASK',
    message: 'budget: This sub-agent and those below it have cost $0.70. From $0.50 on a person must agree.',
    checkpoint: 'cost.subagent_cost_budget:0.5',
    writes: { stateUpdates: [set('subagent_cost_ask_approved_usd', 0.5)] },
  });
  expect(decide(subagentCostBudget, params, { subtreeUsage: spent(0.7), state: { subagent_cost_ask_approved_usd: 0.5 } }).verdict).toBe('ALLOW');
});

it('asks where its own tokens have no price, and not where only those above it have none', () => {
  expect(decide(subagentCostBudget, params, { usage: spent(undefined), subtreeUsage: spent(0.1) }).verdict).toBe('ALLOW');
  expect(decide(subagentCostBudget, params, { subtreeUsage: spent(undefined) })).toMatchObject({ verdict: 'ASK', checkpoint: 'cost.unpriced' });
});
