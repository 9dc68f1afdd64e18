import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { simulatePolicy, type SimulatePolicyInput } from '../../src/gate/simulate-policy.ts';
import { expectKind } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';
import { createScriptedModel } from '../support/scripted-model.ts';

let test: TestGate;
beforeAll(async () => {
  test = await openTestGate();
});
afterAll(() => test.close());

const bash = { toolCall: { name: 'Bash', arguments: { command: 'ls' } } };
const simulate = (input: Omit<SimulatePolicyInput, 'event'> & { event?: SimulatePolicyInput['event'] }) => simulatePolicy(test.open(), { event: bash, ...input });
const decisionOf = async (input: Parameters<typeof simulate>[0]) => expectKind(await simulate(input), 'simulated').decision;
const issuesOf = async (input: Parameters<typeof simulate>[0]) => expectKind(await simulate(input), 'invalidInput').issues;

describe('a simulated policy', () => {
  it('answers as it would on a session', async () => {
    expect(await decisionOf({ handler: 'safety.ask_on_os_tools' })).toMatchObject({ verdict: 'ASK', policies: ['safety.ask_on_os_tools'], steps: [{ level: 'SESSION', outcome: 'ASKED' }] });
  });

  it('may be named in the longer spelling', async () => {
    expect(await decisionOf({ handler: 'omnigent.policies.builtins.safety.ask_on_os_tools' })).toMatchObject({ policies: ['safety.ask_on_os_tools'] });
  });

  it('finds the state that is given, and leaves no trace', async () => {
    const limited = { handler: 'safety.max_tool_calls_per_session', params: { limit: 1 } };
    expect(await decisionOf(limited)).toMatchObject({ verdict: 'ALLOW', writes: { stateUpdates: [{ action: 'increment' }] } });
    expect(await decisionOf(limited)).toMatchObject({ verdict: 'ALLOW' });
    expect(await decisionOf({ ...limited, state: { _policy_tool_call_count: 1 } })).toMatchObject({ verdict: 'DENY' });
    expect(await test.open().em.count(EvaluationSchema)).toBe(0);
  });

  it('finds the usage that is given: of the tree, of the subtree, of the day', async () => {
    const params = { max_cost_usd: 5 };
    const usage = { totalCostUsd: 9, subtreeUsage: { totalCostUsd: 1 }, userDailyCost: { costUsd: 1 } };
    expect(await decisionOf({ handler: 'cost.cost_budget', params, usage })).toMatchObject({ verdict: 'DENY' });
    expect(await decisionOf({ handler: 'cost.user_daily_cost_budget', params, usage })).toMatchObject({ verdict: 'ALLOW' });
    expect(await decisionOf({ handler: 'cost.user_daily_cost_budget', params, usage: { total_cost_usd: 9 } })).toMatchObject({ verdict: 'DENY' });
    expect(await decisionOf({ handler: 'cost.cost_budget', params })).toMatchObject({ verdict: 'ALLOW' });
  });

  it('takes tokens without a cost for tokens without a known price', async () => {
    expect(await decisionOf({ handler: 'cost.cost_budget', params: { max_cost_usd: 5 }, usage: { inputTokens: 100 } })).toMatchObject({ verdict: 'ASK' });
  });

  it('asks the model that judges, where the policy does', async () => {
    const model = createScriptedModel();
    const withModel = await openTestGate({ model });
    try {
      model.says({ action: 'deny', reason: 'Rude.' });
      const { decision } = expectKind(await simulatePolicy(withModel.open(), { handler: 'prompt.prompt_policy', params: { prompt: 'Is it rude?' }, event: bash }), 'simulated');
      expect(decision).toMatchObject({ verdict: 'DENY', reason: 'Rude.' });
      expect(model.questions).toHaveLength(1);
    } finally {
      await withModel.close();
    }
  });

  it('finds the model that is given', async () => {
    const dear = { handler: 'cost.cost_budget', params: { max_cost_usd: 5, expensive_models: ['opus'] }, usage: { totalCostUsd: 9 } };
    expect(await decisionOf({ ...dear, model: 'opus-9' })).toMatchObject({ verdict: 'DENY' });
    expect(await decisionOf({ ...dear, model: 'haiku-9' })).toMatchObject({ verdict: 'ALLOW' });
  });
});

describe('what cannot be simulated', () => {
  it.for<[string, Parameters<typeof simulate>[0], readonly string[]]>([
    ['an unknown handler', { handler: 'no.such' }, ['handler']],
    ['params that the handler does not take', { handler: 'safety.block_skills', params: { blocked: 'x' } }, ['params', 'blocked']],
    ['params that are missing', { handler: 'safety.block_skills' }, ['params', 'blocked']],
    ['an event with two fields', { handler: 'safety.ask_on_os_tools', event: { ...bash, response: { content: '' } } }, ['event']],
    ['a nameless tool', { handler: 'safety.ask_on_os_tools', event: { toolCall: { name: '' } } }, ['event', 'toolCall', 'name']],
    ['a label that is no text', { handler: 'safety.ask_on_os_tools', labels: { a: 1 } }, ['labels', 'a']],
    ['usage that is negative', { handler: 'safety.ask_on_os_tools', usage: { inputTokens: -1 } }, ['usage', 'input_tokens']],
    ['usage of something else', { handler: 'safety.ask_on_os_tools', usage: { subtreeUsage: { cost: 1 } } }, ['usage', 'subtree_usage', 'cost']],
    ['a day that is none', { handler: 'safety.ask_on_os_tools', usage: { userDailyCost: { day: 'today' } } }, ['usage', 'user_daily_cost', 'day']],
    ['a blank model', { handler: 'safety.ask_on_os_tools', model: ' ' }, ['model']],
    ['a state that is too large', { handler: 'safety.ask_on_os_tools', state: { a: 'x'.repeat(1_048_577) } }, ['state']],
  ])('says where it is wrong: %s', async ([, input, path]) => {
    expect(await issuesOf(input)).toContainEqual({ path, message: expect.stringMatching(/\w/) });
  });
});
