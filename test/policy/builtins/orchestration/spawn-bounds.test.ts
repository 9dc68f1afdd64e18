import { describe, expect, it } from 'vitest';
import { applyStateUpdates, evaluate, type JsonObject, type PolicyEvent } from '../../../../src/policy/index.ts';
import { spawnBounds } from '../../../../src/policy/builtins/orchestration/spawn-bounds.ts';
import { facts, passOf, policy, request, toolCall } from '../../support/pass.ts';

/** The verdicts of these events, one after the other, in one session. */
function play(params: JsonObject, events: readonly PolicyEvent[]): string[] {
  const built = spawnBounds.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  let state: JsonObject = {};
  return events.map((event) => {
    const decision = evaluate(passOf([policy('bounds', null, { judge: built.judge })], { event, facts: facts({ state }) }));
    state = applyStateUpdates(state, decision.writes.stateUpdates);
    return decision.verdict;
  });
}

const send = toolCall('sys_session_send', {});

describe('dispatches', () => {
  it('are denied from the maximum on, until the person writes again', () => {
    expect(play({ max_dispatches_per_turn: 2 }, [send, send, send, send, request('go on'), send, send, send])).toEqual(['ALLOW', 'ALLOW', 'DENY', 'DENY', 'ALLOW', 'ALLOW', 'ALLOW', 'DENY']);
  });

  it.for(['mcp__omni__sys_session_send', 'SYS_SESSION_SEND', 'sys_session_send ', 'sysSessionSend', 'omni.sys_session_send'])('are counted under the name %j', (name) => {
    expect(play({ max_dispatches_per_turn: 1 }, [toolCall(name), send])).toEqual(['ALLOW', 'DENY']);
  });

  it('are those of the tools that the params name', () => {
    expect(play({ max_dispatches_per_turn: 1, dispatch_tools: ['Task'] }, [send, send, toolCall('Task'), toolCall('Task')])).toEqual(['ALLOW', 'ALLOW', 'ALLOW', 'DENY']);
    expect(play({ max_dispatches_per_turn: 0, dispatch_tools: [] }, [send])).toEqual(['ALLOW']);
    expect(play({ max_dispatches_per_turn: 0, dispatch_tools: null }, [send])).toEqual(['DENY']);
  });

  it('are not what other tools and phases are', () => {
    const result: PolicyEvent = { type: 'tool_result', target: 'sys_session_send', data: { result: 'ok' } };
    expect(play({ max_dispatches_per_turn: 0 }, [toolCall('sys_session_get_info'), result, { type: 'response', target: null, data: 'x' }])).toEqual(['ALLOW', 'ALLOW', 'ALLOW']);
  });

  it('are counted apart by policies that count other tools', () => {
    const built = [{ dispatch_tools: ['a'] }, { dispatch_tools: ['b'] }].map((params) => spawnBounds.build({ ...params, max_dispatches_per_turn: 1 }));
    const policies = built.map((one, index) => policy(`p${index}`, null, one.kind === 'built' ? { judge: one.judge } : {}));
    const first = evaluate(passOf(policies, { event: toolCall('a') }));
    const second = evaluate(passOf(policies, { event: toolCall('b'), facts: facts({ state: applyStateUpdates({}, first.writes.stateUpdates) }) }));
    expect([first.verdict, second.verdict]).toEqual(['ALLOW', 'ALLOW']);
  });
});

it('writes nothing when a turn begins and nothing was counted', () => {
  const built = spawnBounds.build({});
  if (built.kind !== 'built') expect.unreachable();
  expect(evaluate(passOf([policy('bounds', null, { judge: built.judge })], { event: request('hi') })).writes.stateUpdates).toEqual([]);
});

it.for([{ dispatch_tools: 5 }, { dispatch_tools: 'Task' }, { dispatch_tools: [5] }, { max_dispatches_per_turn: 1.5 }, { max_dispatches_per_turn: '5' }, { max: 1 }])('refuses the params %j', (params) => {
  expect(spawnBounds.build(params).kind).toBe('invalidParams');
});
