import { describe, expect, it } from 'vitest';
import { addPolicyGuard, allow, evaluate, type PolicyEvent } from '../../src/policy/index.ts';
import { passOf, policy, request, toolCall } from './support/pass.ts';

function verdictOf(event: PolicyEvent): string {
  return evaluate(passOf([policy('lenient', allow()), addPolicyGuard], { event })).verdict;
}

describe('an agent that attaches a policy to its own session', () => {
  it.for([
    'sys_add_policy',
    'SYS_ADD_POLICY',
    ' sys_add_policy ',
    'sys_add_policy\u200b',
    'ｓｙｓ＿add＿policy',
    'sysAddPolicy',
    'mcp__omnigent__sys_add_policy',
    'mcp__a__b__sys_add_policy',
    'mcp____sys_add_policy',
    'mcp__sys_add_policy',
    'mcp_omnigent_sys_add_policy',
    'omnigent.sys_add_policy',
  ])('as %j has to ask', (name) => {
    expect(verdictOf(toolCall(name, { name: 'p' }))).toBe('ASK');
  });

  it('has to ask also when only the target, or only the payload, names the tool', () => {
    expect(verdictOf({ type: 'tool_call', target: 'sys_add_policy', data: { name: 'x', arguments: {} } })).toBe('ASK');
    expect(verdictOf({ type: 'tool_call', target: 'x', data: { name: 'sys_add_policy', arguments: {} } })).toBe('ASK');
  });
});

describe('everything else', () => {
  it.for(['add_policy', 'sys_policy_registry', 'sys_add_policy_list', 'Bash', 'mcp__sys_add_policy__list'])('passes: a call of %j', (name) => {
    expect(verdictOf(toolCall(name))).toBe('ALLOW');
  });

  it('passes: a text and a result that name the tool', () => {
    expect(verdictOf(request('sys_add_policy'))).toBe('ALLOW');
    expect(verdictOf({ type: 'tool_result', target: 'sys_add_policy', data: { result: 'ok' } })).toBe('ALLOW');
  });
});

it('bears a name that no other policy can have', () => {
  expect(addPolicyGuard).toMatchObject({ name: '__ask_on_add_policy', level: 'SERVER', handler: 'safety.ask_on_add_policy' });
});
