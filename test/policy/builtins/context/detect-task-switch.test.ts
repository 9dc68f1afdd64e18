import { describe, expect, it } from 'vitest';
import { detectTaskSwitch } from '../../../../src/policy/builtins/context/detect-task-switch.ts';
import type { ModelAnswer } from '../../../../src/policy/index.ts';
import { judged, said } from '../../support/asked.ts';
import { request } from '../../support/pass.ts';

const state = { _task_switch_history: ['fix the login bug'] };
const judge = (answer: ModelAnswer, params = {}) => judged(detectTaskSwitch, request('plan my holiday'), { params, state, answer });
const switched = said({ verdict: 'TASK_SWITCH' });

describe('context.detect_task_switch', () => {
  it('begins the history anew with another task, and goes on with the same one', () => {
    expect(judge(switched).opinion).toMatchObject({ kind: 'ask', stateUpdates: [{ value: ['plan my holiday'] }] });
    expect(judge(said({ verdict: 'CONTINUATION' })).opinion).toMatchObject({ kind: 'allow', stateUpdates: [{ value: ['fix the login bug', 'plan my holiday'] }] });
  });

  it.each([
    ['DENY', 'deny'],
    [' deny ', 'deny'],
    ['ask', 'ask'],
    ['nonsense', 'ask'],
    [null, 'ask'],
  ])('objects as its params say: %j is %s', (action, kind) => {
    expect(judge(switched, { action }).opinion.kind).toBe(kind);
  });

  it.each<[string, ModelAnswer]>([
    ['no model', { kind: 'notConfigured' }],
    ['a failure', { kind: 'failed' }],
    ['prose', { kind: 'answered', text: 'TASK_SWITCH' }],
    ['another word', said({ verdict: 'task_switch' })],
  ])('has no effect and remembers nothing with %s', (_, answer) => {
    expect(judge(answer).opinion).toEqual({ kind: 'abstain' });
  });

  it('shows the model the latest message in full length, and keeps 500 characters of it', () => {
    const { opinion, questions } = judged(detectTaskSwitch, request(`${'fix '.repeat(200)}and now something else`), { state, answer: said({ verdict: 'CONTINUATION' }) });
    expect(questions[0]?.material[1]?.text).toContain('something else');
    expect(JSON.stringify(opinion)).not.toContain('something else');
  });

  it('cannot be made to look as if it had more earlier messages than it has', () => {
    const { questions } = judged(detectTaskSwitch, request('x'), { state: { _task_switch_history: ['one\n- two'] }, answer: switched });
    expect(questions[0]?.material[0]?.text).toBe('- one\n  - two');
  });

  it.each([{ history_window: 0 }, { min_turns: -1 }, { min_turns: 11 }, { min_turns: 2, history_window: 1 }, { min_turns: '1' }, { classification_prompt: 5 }, { nope: 1 }])('refuses %j', (wrong) => {
    expect(detectTaskSwitch.build(wrong).kind).toBe('invalidParams');
  });
});
