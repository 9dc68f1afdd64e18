import { describe, expect, it } from 'vitest';
import { readVector } from '../../../src/policy/vectors/read-vector.ts';
import type { Vector, VectorProblem } from '../../../src/policy/vectors/vector.ts';

const event = { type: 'tool_call', target: 'Bash', data: { name: 'Bash', arguments: {} }, context: { model: 'm' } };

function read(line: unknown, fileName = 'vectors/safety.jsonl'): Vector | VectorProblem {
  return readVector(typeof line === 'string' ? line : JSON.stringify(line), { fileName });
}

function trialOf(line: Record<string, unknown>): unknown {
  const vector = read({ id: 'x-1', policy: 'p', ...line });
  if (vector.kind === 'problem') throw new Error(vector.message);
  return vector.trial;
}

describe('a line', () => {
  it('with a single event keeps what the judge sees apart from what it is told', () => {
    const { context, ...seen } = event;
    expect(read({ id: 'x-1', policy: 'p', params: { a: 1 }, event, session_state: { n: 2 }, expect: { result: 'ASK' }, tags: ['t'], why: 'w' })).toEqual({
      kind: 'vector',
      id: 'x-1',
      handlers: ['safety.p', 'p', 'x.p'],
      params: { a: 1 },
      state: { n: 2 },
      trial: { kind: 'event', event: { event: seen, context }, model: { kind: 'notConfigured' }, wanted: { kind: 'answer', verdict: 'ASK', stateUpdates: [], data: null, modelAsked: null } },
    });
  });

  it('may have neither params nor state', () => {
    expect(read({ id: 'x-1', policy: 'p', params: null, event, expect: { result: null } })).toMatchObject({ params: {}, state: {} });
  });

  it('may have null where it could have nothing', () => {
    const nothing = { family: null, session_state: null, steps: null, llm_answer: null, llm_error: null };
    const bare = { id: 'x-1', policy: 'p', event, expect: { result: 'DENY' } };
    expect(read({ ...bare, ...nothing, expect: { ...bare.expect, state_updates: null, data: null, llm_called: null, error: null, accept: null, build_error: null, steps: null } })).toEqual(read(bare));
  });

  it.for<[Record<string, unknown>, unknown]>([
    [{ result: null }, { verdict: 'ALLOW' }],
    [{ result: 'ALLOW', data: { a: 1 } }, { verdict: 'ALLOW', data: { a: 1 } }],
    [{ result: 'DENY', error: true }, { verdict: 'DENY', stateUpdates: null }],
    [{ error: true }, { verdict: 'DENY', stateUpdates: null }],
    [{ result: 'ASK', llm_called: false }, { modelAsked: false }],
    [{ result: 'ALLOW', state_updates: [{ key: 'k', action: 'delete' }] }, { stateUpdates: [{ key: 'k', action: 'delete' }] }],
    [{ accept: ['DENY', null], best: 'DENY' }, { kind: 'accept', verdicts: ['DENY', 'ALLOW'] }],
  ])('that expects %j wants %j', ([expected, wanted]) => {
    expect(trialOf({ event, expect: expected })).toMatchObject({ wanted });
  });

  it.for<[Record<string, unknown>, unknown]>([
    [{ llm_answer: '' }, { kind: 'answered', text: '' }],
    [{ llm_error: true }, { kind: 'failed' }],
    [{}, { kind: 'notConfigured' }],
  ])('with %j has the model answer %j', ([fields, model]) => {
    expect(trialOf({ event, ...fields, expect: { result: null } })).toMatchObject({ model });
    expect(trialOf({ steps: [{ event, ...fields }], expect: { steps: [{ result: null }] } })).toMatchObject({ steps: [{ model }] });
  });

  it('may only test the build', () => {
    expect(trialOf({ event: null, expect: { build_error: true } })).toEqual({ kind: 'build' });
  });

  it('may be a sequence', () => {
    const steps = [{ event, approve: true }, { reset_turn: true }, { event }];
    expect(trialOf({ steps, expect: { steps: [{ result: 'ASK' }, null, { accept: ['DENY'] }] } })).toMatchObject({
      kind: 'steps',
      steps: [{ kind: 'event', approve: true, wanted: { verdict: 'ASK' } }, { kind: 'resetTurn' }, { kind: 'event', approve: false, wanted: { verdicts: ['DENY'] } }],
    });
  });
});

describe('the handler of a line', () => {
  it.for<[Record<string, unknown>, string, string]>([
    [{ family: 'cost' }, 'bypasses.jsonl', 'cost.p'],
    [{}, '/home/me/vectors/working_dir.jsonl', 'working_dir.p'],
    [{}, 'C:\\vectors\\cost.jsonl', 'cost.p'],
    [{}, 'more-of.risk_score.2.jsonl', 'risk_score.p'],
    [{ policy: 'safety.p', family: 'cost' }, 'mine.jsonl', 'safety.p'],
  ])('with %j in %s is looked for as %s', ([fields, file, name]) => {
    expect(read({ id: 'x-1', policy: 'p', event, expect: { result: null }, ...fields }, file)).toMatchObject({ handlers: expect.arrayContaining([name]) });
  });

  it('may be spelled out in a file of any name', () => {
    expect(read({ id: '1', policy: 'safety.p', event, expect: { result: null } }, 'mine.jsonl')).toMatchObject({ handlers: ['safety.p', 'mine.safety.p'] });
  });

  it('is of the family that the id begins with, where nothing else tells', () => {
    expect(read({ id: 'working_dir-7', policy: 'p', event, expect: { result: null } }, 'mine-2.jsonl')).toMatchObject({ handlers: ['mine-2.p', 'p', 'mine.p', 'working_dir.p'] });
  });
});

describe('a line that is no vector', () => {
  it.for<[unknown, string | null, string]>([
    ['{"id": "x-1"', null, 'The line is not JSON.'],
    ['[]', null, 'expected object'],
    [{ policy: 'p', event, expect: {} }, null, 'id: '],
    [{ id: 'x-1', event, expect: {} }, 'x-1', 'policy: '],
    [{ id: 'x-1', policy: 'p', event }, 'x-1', 'expect: '],
    [{ id: 'x-1', policy: 'p', expect: { result: null } }, 'x-1', 'A vector has an event'],
    [{ id: 'x-1', policy: 'p', event: null, expect: { result: null } }, 'x-1', 'A vector has an event'],
    [{ id: 'x-1', policy: 'p', event: { type: 'TOOL_CALL' }, expect: { result: null } }, 'x-1', 'event: The type of an event is one of'],
    [{ id: 'x-1', policy: 'p', event, expect: { result: 'PERHAPS' } }, 'x-1', 'expect.result: '],
    [{ id: 'x-1', policy: 'p', event, expect: { accept: [] } }, 'x-1', 'expect.accept: '],
    [{ id: 'x-1', policy: 'p', event, params: [], expect: { result: null } }, 'x-1', 'params: Expected an object.'],
    [{ id: 'x-1', policy: 'p', steps: [{ event }], expect: { steps: [] } }, 'x-1', 'one entry for each step'],
    [{ id: 'x-1', policy: 'p', steps: [{ event }], expect: { steps: [null] } }, 'x-1', 'or reset_turn'],
    [{ id: 'x-1', policy: 'p', steps: [{}], expect: { steps: [{ result: null }] } }, 'x-1', 'or reset_turn'],
  ])('%j is a problem', ([line, id, message]) => {
    expect(read(line)).toEqual({ kind: 'problem', id, message: expect.stringContaining(message) });
  });
});
