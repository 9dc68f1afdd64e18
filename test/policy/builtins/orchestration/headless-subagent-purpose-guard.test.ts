import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/policy/index.ts';
import { headlessSubagentPurposeGuard } from '../../../../src/policy/builtins/orchestration/headless-subagent-purpose-guard.ts';
import { toolCall } from '../../support/pass.ts';
import { opinionOf } from '../../support/verdict-of.ts';

function judge(args: JsonObject, { name = 'sys_session_send', params = null }: { name?: string; params?: JsonObject | null } = {}): string {
  return opinionOf(headlessSubagentPurposeGuard, params, { event: toolCall(name, args) }).kind;
}

describe('a dispatch', () => {
  it.for(['implement', 'review', 'explore', 'search'])('for %s passes', (purpose) => {
    expect(judge({ args: { purpose, task: 'x' } })).toBe('abstain');
  });

  it.for<Json>(['Review', 'review ', ' review', 'rev\u200biew', 'ｒeview', 'deploy', '', 5, null, true, ['review'], { review: true }, '__proto__', 'constructor'])('for %j is denied', (purpose) => {
    expect(judge({ args: { purpose } })).toBe('deny');
  });

  it.for<JsonObject>([{}, { args: null }, { args: 'review' }, { args: ['review'] }, { args: '{"purpose":"review"}' }, { purpose: 'review' }, { args: { args: { purpose: 'review' } } }, { args: { Purpose: 'review' } }])('with %j is denied', (args) => {
    expect(judge(args)).toBe('deny');
  });

  it.for(['mcp__omni__sys_session_send', 'SYS_SESSION_SEND', ' sys_session_send'])('is one under the name %j', (name) => {
    expect(judge({ args: { purpose: 'deploy' } }, { name })).toBe('deny');
    expect(judge({ args: { purpose: 'review' } }, { name })).toBe('abstain');
  });

  it('may have the purposes that the params name, and no other', () => {
    expect(judge({ args: { purpose: 'audit' } }, { params: { allowed_purposes: ['audit'] } })).toBe('abstain');
    expect(judge({ args: { purpose: 'review' } }, { params: { allowed_purposes: ['audit'] } })).toBe('deny');
    expect(judge({ args: { purpose: 'review' } }, { params: { allowed_purposes: [] } })).toBe('deny');
    expect(judge({ args: { purpose: 'review' } }, { params: { allowed_purposes: null, deny_reason: null } })).toBe('abstain');
  });
});

it.for(['sys_session_get_info', 'sys_session_send_later', 'web_search'])('lets %s pass', (name) => {
  expect(judge({}, { name })).toBe('abstain');
});
