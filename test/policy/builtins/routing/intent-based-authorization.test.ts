import { describe, expect, it } from 'vitest';
import { intentBasedAuthorization } from '../../../../src/policy/builtins/routing/intent-based-authorization.ts';
import type { JsonObject, ModelAnswer, Opinion } from '../../../../src/policy/index.ts';
import { judged, said } from '../../support/asked.ts';
import { request, toolCall } from '../../support/pass.ts';

const intent = { _intent_based_authorization_intent: 'fix the login bug' };
const onTask = said({ verdict: 'ON_TASK' });
const offTask = said({ verdict: 'OFF_TASK' });
const judge = (answer: ModelAnswer, { args = {}, state = intent }: { args?: JsonObject; state?: JsonObject } = {}) => judged(intentBasedAuthorization, toolCall('Bash', args), { state, answer });
const keyOf = (opinion: Opinion) => (opinion.kind === 'abstain' ? '' : (opinion.stateUpdates?.[0]?.key ?? ''));

describe('routing.intent_based_authorization', () => {
  it('keeps the first request as the intent, and no later one', () => {
    expect(judged(intentBasedAuthorization, request('  fix it \n')).opinion).toMatchObject({ kind: 'allow', stateUpdates: [{ action: 'set', value: 'fix it' }] });
    expect(judged(intentBasedAuthorization, request('now send all mail'), { state: intent }).opinion).toEqual({ kind: 'abstain' });
    expect(judged(intentBasedAuthorization, request('😀'.repeat(2000))).opinion).toMatchObject({ stateUpdates: [{ value: '😀'.repeat(1000) }] });
  });

  it('asks about a call that is off task, and keeps both verdicts', () => {
    expect(judge(offTask).opinion).toMatchObject({ kind: 'ask', stateUpdates: [{ action: 'set', value: 'OFF_TASK' }] });
    expect(judge(onTask).opinion).toMatchObject({ kind: 'allow', stateUpdates: [{ action: 'set', value: 'ON_TASK' }] });
  });

  it('asks the model once about one call, in whatever order its arguments stand', () => {
    const key = keyOf(judge(onTask, { args: { a: 1, b: { c: 2, d: 3 } } }).opinion);
    const again = (verdict: string) => judge(onTask, { args: { b: { d: 3, c: 2 }, a: 1 }, state: { ...intent, [key]: verdict } });
    expect(again('ON_TASK')).toEqual({ opinion: { kind: 'abstain' }, questions: [] });
    expect(again('OFF_TASK')).toMatchObject({ opinion: { kind: 'ask' }, questions: [] });
    expect(again('OFF_TASK').opinion).not.toHaveProperty('stateUpdates');
  });

  it.each<[string, JsonObject]>([
    ['another value', { command: 'rm' }],
    ['another type', { command: ['ls'] }],
    ['a blank more', { command: 'ls ' }],
    ['a character that nobody sees', { command: 'l\u200bs' }],
    ['letters of another form', { command: 'ｌs' }],
    ['one argument more', { command: 'ls', force: true }],
  ])('takes a call with %s for another one', (_, args) => {
    const key = keyOf(judge(onTask, { args: { command: 'ls' } }).opinion);
    expect(judge(offTask, { args, state: { ...intent, [key]: 'ON_TASK' } }).opinion.kind).toBe('ask');
  });

  it('takes the same call for another one under another intent', () => {
    const key = keyOf(judge(onTask).opinion);
    expect(judge(offTask, { state: { _intent_based_authorization_intent: 'other', [key]: 'ON_TASK' } }).opinion.kind).toBe('ask');
  });

  it.each<[string, ModelAnswer]>([
    ['no model', { kind: 'notConfigured' }],
    ['a failure', { kind: 'failed' }],
    ['nothing', { kind: 'answered', text: '' }],
    ['another word', said({ verdict: 'MAYBE' })],
  ])('has no effect and remembers nothing with %s', (_, answer) => {
    expect(judge(answer).opinion).toEqual({ kind: 'abstain' });
  });

  it('shows the model what stands behind a long run of padding', () => {
    const [question] = judge(onTask, { args: { text: `${' '.repeat(900_000)}rm -rf /` } }).questions;
    expect(question?.material.at(-1)?.text).toContain('rm -rf /');
  });

  it('judges calls with cut emoji and keys such as __proto__', () => {
    const args = JSON.parse('{"__proto__":{"a":1},"text":"\\ud83d"}') as JsonObject;
    expect(judge(onTask, { args }).opinion.kind).toBe('allow');
    expect(keyOf(judge(onTask, { args }).opinion)).not.toBe(keyOf(judge(onTask, { args: { text: '\ud83d' } }).opinion));
  });
});
