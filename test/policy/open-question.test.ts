import { describe, expect, it } from 'vitest';
import { abstain, ask, deny, evaluate, evaluateOrAsk, OpenQuestion, type ModelQuestion, type RunnablePolicy } from '../../src/policy/index.ts';
import { passOf, policy, toolCall } from './support/pass.ts';

const question: ModelQuestion = { instructions: 'Is it fine?', material: [{ title: 'The call', text: 'Bash' }], answerSchema: { type: 'object' } };

function asking(name: string): RunnablePolicy {
  return {
    ...policy(name, null),
    judge: ({ askModel }) => {
      const answer = askModel(question);
      if (answer.kind !== 'answered') return answer.kind === 'notConfigured' ? abstain() : deny('no answer');
      return answer.text === 'fine' ? abstain() : ask('The model has doubts.');
    },
  };
}

describe('a question to the model', () => {
  const pass = passOf([asking('judge')], { event: toolCall('Bash') });

  it('stops the pass while it has no answer, and is handed to whoever can ask', () => {
    const open = evaluateOrAsk(pass, () => undefined);
    expect(open).toBeInstanceOf(OpenQuestion);
    expect((open as OpenQuestion).question).toEqual(question);
  });

  it.each([
    ['fine', 'ALLOW'],
    ['not fine', 'ASK'],
  ])('is judged by its answer once there is one: %s', (text, verdict) => {
    expect(evaluateOrAsk(pass, () => ({ kind: 'answered', text }))).toMatchObject({ verdict });
  });

  it('tells a failed model from one that is not configured', () => {
    expect(evaluateOrAsk(pass, () => ({ kind: 'failed' }))).toMatchObject({ verdict: 'DENY' });
    expect(evaluate(pass)).toMatchObject({ verdict: 'ALLOW' });
  });

  it('is not asked after a denial, and not for a policy that does not fire', () => {
    const never = () => {
      throw new Error('Nobody must ask.');
    };
    expect(evaluateOrAsk(passOf([policy('first', deny('no')), asking('judge')]), never)).toMatchObject({ verdict: 'DENY', policy: 'first' });
    expect(evaluateOrAsk(passOf([{ ...asking('judge'), on: [{ phase: 'RESPONSE', toolName: null }] }], { event: toolCall('Bash') }), never)).toMatchObject({ verdict: 'ALLOW' });
  });
});
