import { describe, expect, it } from 'vitest';
import { builtinRegistry, evaluate, phases, type JsonObject, type Opinion, type PolicyEvent } from '../../../../src/policy/index.ts';
import { fixedAction } from '../../../../src/policy/builtins/safety/fixed-action.ts';
import { passOf, policy, request, toolCall } from '../../support/pass.ts';
import { opinionOf } from '../../support/verdict-of.ts';

function judge(params: JsonObject | null, event: PolicyEvent = toolCall('Bash')): Opinion {
  return opinionOf(fixedAction, params, { event });
}

describe('the answer', () => {
  it.for<[JsonObject | null, Opinion]>([
    [null, { kind: 'allow' }],
    [{ action: 'deny', reason: 'closed' }, { kind: 'deny', reason: 'closed' }],
    [{ action: ' Deny ' }, { kind: 'deny', reason: 'A policy denies this always.' }],
    [{ action: 'ASK' }, { kind: 'ask', reason: '' }],
    [{ action: 'allow', set_labels: { tier: 'high' } }, { kind: 'allow', setLabels: { tier: 'high' } }],
    [{ action: 'ask', reason: 'sure?', set_labels: { tier: 'high' } }, { kind: 'ask', reason: 'sure?', setLabels: { tier: 'high' } }],
    [{ action: 'deny', set_labels: { tier: 'high' } }, { kind: 'deny', reason: 'A policy denies this always.', setLabels: { tier: 'high' } }],
  ])('with %j is %j', ([params, opinion]) => {
    expect(judge(params)).toEqual(opinion);
  });

  it('labels the session', () => {
    const built = fixedAction.build({ set_labels: { tier: 'high' } });
    if (built.kind !== 'built') expect.unreachable();
    expect(evaluate(passOf([policy('label', null, { judge: built.judge })]))).toMatchObject({ verdict: 'ALLOW', writes: { labels: { tier: 'high' } } });
  });
});

describe('phases and tools', () => {
  const denying = { action: 'DENY' };

  it.for<[JsonObject, PolicyEvent, string]>([
    [{ on_phases: ['tool_call'] }, toolCall('Bash'), 'deny'],
    [{ on_phases: ['TOOL_CALL'] }, toolCall('Bash'), 'deny'],
    [{ on_phases: ['PHASE_TOOL_CALL'] }, toolCall('Bash'), 'deny'],
    [{ on_phases: ['request', 'response'] }, toolCall('Bash'), 'abstain'],
    [{ on_phases: ['request'] }, request('x'), 'deny'],
    [{ on_tools: ['bash'] }, toolCall('Bash'), 'deny'],
    [{ on_tools: ['Bash'] }, toolCall('mcp__omni__bash'), 'deny'],
    [{ on_tools: ['Bash'] }, toolCall('Bashful'), 'abstain'],
    [{ on_tools: ['Bash'] }, { type: 'tool_call', target: 'x', data: { name: 'Bash', arguments: {} } }, 'deny'],
    [{ on_tools: ['Bash'] }, { type: 'tool_result', target: 'Bash', data: { result: 'x' } }, 'deny'],
    [{ on_tools: ['Bash'] }, { type: 'tool_result', target: 'x', data: { result: 'x' }, request_data: { name: 'Bash', arguments: {} } }, 'deny'],
    [{ on_tools: ['Bash'] }, request('Bash'), 'abstain'],
    [{ on_tools: ['Bash'] }, { type: 'llm_request', target: null, data: { name: 'Bash' } }, 'abstain'],
    [{ on_tools: ['Bash'], on_phases: ['tool_result'] }, toolCall('Bash'), 'abstain'],
    [{ on_tools: null, on_phases: null }, request('x'), 'deny'],
  ])('%j, for %j: %s', ([params, event, kind]) => {
    expect(judge({ ...denying, ...params }, event).kind).toBe(kind);
  });

  it('are all where the policy names none', () => {
    expect(fixedAction.phases).toEqual(phases);
  });
});

it.for<JsonObject>([
  ...[{ action: 'block' }, { action: '' }, { action: null }, { on_phases: [] }, { on_phases: ['tool'] }, { on_phases: 'tool_call' }, { on_tools: [] }, { on_tools: [''] }],
  ...[{ set_labels: ['tier'] }, { set_labels: { tier: 1 } }, { set_labels: { __own: 'x' } }, { set_labels: { 'omnigent.turn_actor': 'x' } }, { set_labels: { '': 'x' } }, { labels: {} }],
])('refuses the params %j', (params) => {
  expect(fixedAction.build(params).kind).toBe('invalidParams');
});

it.for(['safety.fixed_action', 'omnigent.policies.builtins.safety.fixed_action', 'omnigent.policies.function.make_fixed_action_callable', 'omnigent.policies.make_fixed_action_callable'])('is found as %s', (name) => {
  expect(builtinRegistry().find(name)).toBe(fixedAction);
});
