import { describe, expect, it } from 'vitest';
import { denyTrivialToExpensiveModel } from '../../../../src/policy/builtins/routing/deny-trivial-to-expensive-model.ts';
import type { ModelAnswer, PolicyEvent } from '../../../../src/policy/index.ts';
import { judged, said } from '../../support/asked.ts';

const params = { expensive_models: ['big'] };
const to = (model: string, message = 'hi'): PolicyEvent => ({ type: 'llm_request', target: null, data: { model, last_user_message: message } });
const judge = (answer: ModelAnswer, event = to('big')) => judged(denyTrivialToExpensiveModel, event, { params, answer });
const trivial = said({ difficulty: 'TRIVIAL' });

describe('routing.deny_trivial_to_expensive_model', () => {
  it('denies what the model finds trivial, and remembers it under the message', () => {
    expect(judge(trivial).opinion).toMatchObject({ kind: 'deny', stateUpdates: [{ key: '_routing_classification:8f434346648f6b96', action: 'set', value: 'TRIVIAL' }] });
    expect(judge(said({ difficulty: 'COMPLEX' })).opinion).toMatchObject({ kind: 'allow' });
  });

  it('asks once about a message, whichever model it goes to', () => {
    const state = { '_routing_classification:8f434346648f6b96': 'TRIVIAL' };
    const { opinion, questions } = judged(denyTrivialToExpensiveModel, to('other'), { params: { expensive_models: ['big', 'other'] }, state, answer: said({ difficulty: 'COMPLEX' }) });
    expect({ opinion, questions }).toMatchObject({ opinion: { kind: 'deny' }, questions: [] });
  });

  it.each<[string, ModelAnswer]>([
    ['no model', { kind: 'notConfigured' }],
    ['a failure', { kind: 'failed' }],
    ['nothing', { kind: 'answered', text: '' }],
    ['prose', { kind: 'answered', text: 'TRIVIAL' }],
    ['another word', said({ difficulty: 'EASY' })],
    ['another spelling', said({ difficulty: 'trivial' })],
  ])('has no effect and remembers nothing with %s', (_, answer) => {
    expect(judge(answer).opinion).toEqual({ kind: 'abstain' });
  });

  it.each(['small', 'BIG', 'big-2', ''])('asks nothing about a message to %j', (model) => {
    expect(judge(trivial, to(model))).toEqual({ opinion: { kind: 'abstain' }, questions: [] });
  });

  it('shows beginning and end of a very long message', () => {
    const [question] = judge(trivial, to('big', `start${'x'.repeat(900_000)}end`)).questions;
    expect(question?.material[0]?.text).toMatch(/^start.* characters are left out here .*end$/s);
    expect(question?.material[0]?.text.length).toBeLessThan(20_000);
  });

  it("takes its author's words for what is trivial", () => {
    const own = judged(denyTrivialToExpensiveModel, to('big'), { params: { ...params, classification_prompt: 'Haiku is trivial.' }, answer: trivial });
    expect(own.questions[0]?.instructions).toMatch(/^Haiku is trivial\./);
    expect(judge(trivial).questions[0]?.instructions).not.toContain('Haiku');
  });

  it.each([{}, { expensive_models: 'big' }, { expensive_models: [5] }, { expensive_models: null }])('refuses %j', (wrong) => {
    expect(denyTrivialToExpensiveModel.build(wrong).kind).toBe('invalidParams');
  });
});
