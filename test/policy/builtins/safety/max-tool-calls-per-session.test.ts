import { describe, expect, it } from 'vitest';
import { evaluate, increment, phases, type Json, type JsonObject, type RunnablePolicy } from '../../../../src/policy/index.ts';
import { maxToolCallsPerSession } from '../../../../src/policy/builtins/safety/max-tool-calls-per-session.ts';
import { askModel, facts, passOf, policy, request } from '../../support/pass.ts';

const countKey = '_policy_tool_call_count';

function limiting(params: JsonObject | null): RunnablePolicy {
  const built = maxToolCallsPerSession.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return policy('limit', null, { judge: built.judge });
}

function verdictWith(params: JsonObject | null, stored?: Json): string {
  const state = stored === undefined ? {} : { [countKey]: stored };
  return evaluate(passOf([limiting(params)], { facts: facts({ state }) })).verdict;
}

describe('a session’s tool calls', () => {
  it('are counted, and each counts one', () => {
    const decision = evaluate(passOf([limiting({ limit: 2 })]));
    expect(decision).toMatchObject({ verdict: 'ALLOW', writes: { stateUpdates: [increment(countKey, 1)] } });
  });

  it('are 100 where no limit is given', () => {
    expect(verdictWith(null, 99)).toBe('ALLOW');
    expect(verdictWith(null, 100)).toBe('DENY');
  });

  it.for([0, -1])('are none with the limit %j', (limit) => {
    expect(verdictWith({ limit })).toBe('DENY');
  });

  it('say how many there were to use', () => {
    expect(evaluate(passOf([limiting({ limit: -3 })]))).toMatchObject({ reason: 'This session has used up its 0 tool calls.', writes: { stateUpdates: [] } });
  });

  it('are not what a prompt counts as', () => {
    const decision = evaluate(passOf([limiting({ limit: 0 })], { event: request('hi') }));
    expect(decision).toMatchObject({ verdict: 'ALLOW', writes: { stateUpdates: [] } });
  });
});

describe('a stored count', () => {
  it.for([
    [2.9, 'ALLOW'],
    [3.1, 'DENY'],
    [' +3 ', 'DENY'],
    [[9], 'DENY'], // counts as 0, but cannot be incremented
    ['many', 'DENY'],
    ['3.5', 'DENY'],
    ['', 'DENY'],
  ] as const)('%j under the limit 3 gives %s', ([stored, verdict]) => {
    expect(verdictWith({ limit: 3 }, stored)).toBe(verdict);
  });

  it.for(['2', '-1'])('of the text %j is read', (stored) => {
    const built = maxToolCallsPerSession.build({ limit: 3 });
    if (built.kind !== 'built') expect.unreachable();
    expect(built.judge({ event: passOf([]).event, facts: facts({ state: { [countKey]: stored } }), askModel }).kind).toBe('allow');
  });
});

it.for([{ limit: 1.5 }, { limit: '3' }, { limit: null }, { limits: 3 }])('refuses the params %j', (params) => {
  expect(maxToolCallsPerSession.build(params).kind).toBe('invalidParams');
});

it('judges tool calls where the policy names no phases', () => {
  expect(maxToolCallsPerSession.phases).toEqual(phases.filter((phase) => phase === 'TOOL_CALL'));
});
