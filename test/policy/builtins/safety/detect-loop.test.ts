import { describe, expect, it } from 'vitest';
import { applyStateUpdates, evaluate, type JsonObject, type PolicyEvent } from '../../../../src/policy/index.ts';
import { detectLoop } from '../../../../src/policy/builtins/safety/detect-loop.ts';
import { facts, passOf, policy, request, toolCall } from '../../support/pass.ts';

/** The verdicts of these events, one after the other; `accepted`: what is asked is accepted. */
function play(params: JsonObject, events: readonly PolicyEvent[], accepted = false): string[] {
  const built = detectLoop.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  let state: JsonObject = {};
  return events.map((event) => {
    const decision = evaluate(passOf([policy('loop', null, { judge: built.judge })], { event, facts: facts({ state }) }));
    if (decision.verdict !== 'ASK' || accepted) state = applyStateUpdates(state, decision.writes.stateUpdates);
    return decision.verdict;
  });
}

const ls = toolCall('Bash', { command: 'ls' });
const pwd = toolCall('Bash', { command: 'pwd' });

describe('the same call', () => {
  it('is asked for from the third time on', () => {
    expect(play({}, [ls, pwd, ls, pwd, ls, ls])).toEqual(['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'ASK', 'ASK']);
  });

  it('is not counted while it is declined', () => {
    expect(play({ window: 4, threshold: 2 }, [ls, ls, pwd, pwd], false)).toEqual(['ALLOW', 'ASK', 'ALLOW', 'ASK']);
  });

  it('is forgotten when it falls out of the window', () => {
    expect(play({ window: 2, threshold: 2 }, [ls, pwd, ls, ls])).toEqual(['ALLOW', 'ALLOW', 'ALLOW', 'ASK']);
  });

  it.for<[string, JsonObject, JsonObject]>([
    ['with its arguments in another order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['with another form of the same letters', { path: 'café' }, { path: 'cafe\u0301' }],
    ['with a character that nobody sees', { command: 'npm test' }, { command: 'npm\u200b test' }],
    ['with another form of the same number', { n: 1 }, { n: 1.0 }],
  ])('is the same %s', ([, one, other]) => {
    expect(play({ threshold: 2 }, [toolCall('t', one), toolCall('t', other)])).toEqual(['ALLOW', 'ASK']);
  });

  it.for<[JsonObject, JsonObject]>([
    [{ l: [1, 2] }, { l: [2, 1] }],
    [{ n: 1 }, { n: '1' }],
    [{ c: 'ls' }, { c: 'ls ' }],
    [{ c: 'ls' }, { c: 'LS' }],
    [{}, { a: null }],
  ])('is another one: %j and %j', ([one, other]) => {
    expect(play({ threshold: 2 }, [toolCall('t', one), toolCall('t', other)])).toEqual(['ALLOW', 'ALLOW']);
  });

  it('of another tool is another call', () => {
    expect(play({ threshold: 2 }, [toolCall('a', {}), toolCall('b', {})])).toEqual(['ALLOW', 'ALLOW']);
  });
});

it('has no opinion of other phases', () => {
  expect(play({ threshold: 1 }, [request('x'), { type: 'tool_result', target: 'x', data: { result: 'x' } }])).toEqual(['ALLOW', 'ALLOW']);
});

it('denies a call that is nested deeper than it can be read', () => {
  let args: JsonObject = {};
  for (let depth = 0; depth < 100_000; depth += 1) args = { args };
  expect(play({}, [toolCall('t', args)])).toEqual(['DENY']);
});

describe('params', () => {
  it.for([{ window: 0 }, { threshold: 0 }, { window: -5, threshold: -5 }, { window: 1 }, { window: 3, threshold: 3 }])('may be %j', (params) => {
    expect(detectLoop.build(params).kind).toBe('built');
  });

  it.for([{ window: 3, threshold: 5 }, { threshold: 11 }, { window: 0, threshold: 2 }, { window: 1.5 }, { window: '3' }, { window: null }, { windows: 3 }])('are refused that can never ask or make no sense: %j', (params) => {
    expect(detectLoop.build(params).kind).toBe('invalidParams');
  });

  it('say their defaults to whoever draws a form', () => {
    expect(detectLoop.paramsSchema).toMatchObject({ properties: { window: { default: 10 }, threshold: { default: 3 } } });
  });
});
