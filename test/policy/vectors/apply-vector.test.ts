import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { abstain, allow, ask, createRegistry, defineHandler, deny, increment, set, type Opinion } from '../../../src/policy/index.ts';
import { turnKeyPrefix } from '../../../src/policy/turn-key.ts';
import { applyVector, type VectorOutcome } from '../../../src/policy/vectors/apply-vector.ts';
import { readVector } from '../../../src/policy/vectors/read-vector.ts';

const answers: Record<string, (state: Readonly<Record<string, unknown>>) => Opinion> = {
  abstain: () => abstain(),
  allow: () => allow(),
  deny: () => deny('no'),
  ask: () => ask('?', { stateUpdates: [increment('n', 1)] }),
  count: () => allow({ stateUpdates: [increment('n', 1)] }),
  countInTurn: ({ [`${turnKeyPrefix}n`]: n = 0 }) => (n === 0 ? allow({ stateUpdates: [increment(`${turnKeyPrefix}n`, 1)] }) : deny('once')),
  rewrite: () => allow({ data: { name: 'Bash', arguments: { command: 'ls' } } }),
  rename: () => allow({ data: { name: 'Write', arguments: {} } }),
  hash: () => allow({ stateUpdates: [set('check:abc', ['abc', 'def', 'abc'])] }),
  nonsense: () => ({ kind: 'maybe' }) as unknown as Opinion,
  throw: () => {
    throw new Error('broken');
  },
};

const handler = defineHandler({
  name: 'test.answer',
  title: 'T',
  description: 'D',
  phases: ['TOOL_CALL', 'LLM_REQUEST', 'REQUEST'],
  needs: ['state', 'model', 'actor'],
  params: z.object({ answer: z.string() }),
  judge({ event, facts, askModel }, { answer }) {
    if (event.type === 'request') return answer === 'countInTurn' ? allow({ stateUpdates: [set(`${turnKeyPrefix}n`, 0)] }) : abstain();
    if (answer === 'facts') return facts.model === 'm' && facts.actor.run_as === 'me' && facts.state['n'] === 2 ? deny('known') : abstain();
    if (answer !== 'model') return (answers[answer] ?? abstain)(facts.state);
    const said = askModel({ instructions: '', material: [], answerSchema: {} });
    return said.kind === 'answered' ? deny(said.text) : said.kind === 'failed' ? ask('?') : abstain();
  },
});

const event = { type: 'tool_call', target: 'Bash', data: { name: 'Bash', arguments: {} } };

function apply(line: Record<string, unknown>): VectorOutcome {
  const vector = readVector(JSON.stringify({ id: 'v-1', policy: 'answer', ...line }), { fileName: 'test.jsonl' });
  if (vector.kind === 'problem') throw new Error(vector.message);
  return applyVector(vector, createRegistry([handler]));
}

function judged(answer: string, expected: unknown, fields: Record<string, unknown> = {}): VectorOutcome {
  return apply({ params: { answer }, event, expect: expected, ...fields });
}

const increased = { key: 'n', action: 'increment', value: 1 };

describe('an event', () => {
  it.for<[string, unknown, boolean]>([
    ['abstain', { result: null }, true],
    ['abstain', { result: 'ALLOW' }, true],
    ['allow', { result: null }, true],
    ['allow', { result: 'DENY' }, false],
    ['deny', { result: 'DENY' }, true],
    ['deny', { result: 'ALLOW' }, false],
    ['count', { result: 'ALLOW', state_updates: [{ key: 'n', action: 'increment', value: 1.0 }] }, true],
    ['count', { result: 'ALLOW' }, false],
    ['count', { result: 'ALLOW', state_updates: [increased, increased] }, false],
    ['allow', { result: 'ALLOW', state_updates: [increased] }, false],
    ['countInTurn', { result: 'ALLOW' }, true],
    ['rewrite', { result: 'ALLOW', data: { arguments: { command: 'ls' }, name: 'Bash' } }, true],
    ['rewrite', { result: 'ALLOW' }, false],
    ['rename', { result: 'DENY' }, true],
    ['nonsense', { result: 'DENY', error: true }, true],
    ['throw', { result: 'DENY', error: true }, true],
    ['deny', { result: 'DENY', error: true }, true],
    ['throw', { result: 'ALLOW' }, false],
    ['ask', { accept: ['ASK', 'DENY'] }, true],
    ['abstain', { accept: ['ASK', 'DENY'] }, false],
    ['abstain', { accept: [null] }, true],
    ['hash', { result: 'ALLOW', state_updates: [{ key: 'check:<h1>', action: 'set', value: ['<h1>', '<h2>', '<h1>'] }] }, true],
    ['hash', { result: 'ALLOW', state_updates: [{ key: 'check:<h1>', action: 'set', value: ['<h1>', '<h1>', '<h1>'] }] }, false],
    ['hash', { result: 'ALLOW', state_updates: [{ key: 'check:<h1>', action: 'set', value: ['<h1>', '<h2>', '<h3>'] }] }, false],
    ['hash', { result: 'ALLOW', state_updates: [{ key: 'other:<h1>', action: 'set', value: ['<h1>', '<h2>', '<h1>'] }] }, false],
  ])('that gets %s, where %j is expected: passed is %s', ([answer, expected, passed]) => {
    expect(judged(answer, expected).passed).toBe(passed);
  });

  it('is judged with the state and the context of the line', () => {
    const context = { actor: { run_as: 'me' }, model: 'm' };
    expect(judged('facts', { result: 'DENY' }, { event: { ...event, context }, session_state: { n: 2 } }).passed).toBe(true);
    expect(judged('facts', { result: 'ALLOW' }, { event: { ...event, context: null }, session_state: { n: 2 } }).passed).toBe(true);
  });

  it('of a phase that the handler does not judge is allowed', () => {
    expect(judged('deny', { result: null }, { event: { type: 'response', target: null, data: 'x' } }).passed).toBe(true);
  });

  it('may ask the model, which answers what the line says', () => {
    expect(judged('model', { result: 'DENY', llm_called: true }, { llm_answer: 'x' }).passed).toBe(true);
    expect(judged('model', { result: 'ASK', llm_called: true }, { llm_error: true }).passed).toBe(true);
    expect(judged('model', { result: null }).passed).toBe(true);
    expect(judged('deny', { result: 'DENY', llm_called: true }, { llm_answer: 'x' }).passed).toBe(false);
    expect(judged('model', { result: 'DENY', llm_called: false }, { llm_answer: 'x' }).passed).toBe(false);
  });
});

describe('an outcome', () => {
  it('says what was wanted and what came', () => {
    expect(judged('count', { result: 'DENY' })).toEqual({ id: 'v-1', passed: false, wanted: { result: 'DENY' }, got: { result: 'ALLOW', state_updates: [increased] }, reason: null });
    expect(judged('throw', { accept: ['ALLOW'] })).toEqual({ id: 'v-1', passed: false, wanted: { accept: ['ALLOW'] }, got: { result: 'DENY', error: 'broken' }, reason: null });
    expect(judged('deny', { result: 'ALLOW' })).toMatchObject({ got: { result: 'DENY' }, reason: 'no' });
  });

  it('of a handler that is not there says so', () => {
    expect(apply({ policy: 'other', event, expect: { result: 'DENY' } })).toMatchObject({ passed: false, got: { problem: 'There is no such handler.' } });
  });

  it('of params that are refused says why', () => {
    expect(apply({ params: {}, event, expect: { result: 'DENY' } })).toMatchObject({ passed: false, got: { build_error: true, issues: ['answer: Missing: expected string.'] } });
    expect(apply({ params: {}, expect: { build_error: true } }).passed).toBe(true);
    expect(apply({ params: { answer: 'allow' }, expect: { build_error: true } })).toMatchObject({ passed: false, got: { build_error: false } });
  });
});

describe('a sequence', () => {
  function played(answer: string, steps: unknown[], wanted: unknown[]): VectorOutcome {
    return apply({ params: { answer }, steps, expect: { steps: wanted } });
  }

  it('carries the state along', () => {
    expect(played('countInTurn', [{ event }, { event }], [{ result: 'ALLOW' }, { result: 'DENY' }]).passed).toBe(true);
    expect(played('countInTurn', [{ event }, { event }], [{ result: 'ALLOW' }, { result: 'ALLOW' }])).toMatchObject({ passed: false, reason: 'once' });
  });

  it('begins a new turn where it says so', () => {
    const steps = [{ event }, { reset_turn: true }, { event }, { event }];
    expect(played('countInTurn', steps, [{ result: 'ALLOW' }, null, { result: 'ALLOW' }, { result: 'DENY' }]).passed).toBe(true);
  });

  it('writes what an ask wants only when it is approved', () => {
    const wanted = { result: 'ASK', state_updates: [increased] };
    expect(apply({ params: { answer: 'ask' }, session_state: { n: 'text' }, steps: [{ event }], expect: { steps: [wanted] } }).passed).toBe(true);
    expect(apply({ params: { answer: 'ask' }, session_state: { n: 'text' }, steps: [{ event, approve: true }], expect: { steps: [wanted] } })).toMatchObject({
      passed: false,
      got: { steps: [{ problem: 'The writes do not fit the state.' }] },
    });
  });
});
