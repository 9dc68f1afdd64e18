import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { allow, ask, increment, set } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, expectKind, hold, startSession, stored } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

/** Counts what is requested; asks before each tool call until one is accepted. */
const door = defineHandler({
  name: 'test.door',
  title: 'Door',
  description: 'Opens with the first accept.',
  phases: ['REQUEST', 'TOOL_CALL'],
  needs: ['state'],
  judge: ({ event, facts }) => {
    if (event.type === 'request') return allow({ stateUpdates: [increment('requests', 1)] });
    return facts.state['open'] === true ? allow() : ask('open?', { stateUpdates: [set('open', true)] });
  },
});

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate({ handlers: [door] });
});

afterEach(async () => {
  await test.close();
});

describe('a session that is read while an accept changes it', () => {
  it('is not remembered as it was: the siblings of what was accepted are settled', async () => {
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { handler: 'test.door' });
    const [one, other] = [await hold(test.open(), session), await hold(test.open(), session, bash(session, 'pwd', { idempotencyKey: 'other' }))];
    const waiting = expectKind(await evaluatePolicy(test.open(), bash(session, 'pwd', { idempotencyKey: 'other', waitSeconds: 0 })), 'evaluated').evaluation;
    await test.restart(); // nothing is cached any more
    await Promise.all([one.answer, other.answer]);
    const [request, accept] = await Promise.all([
      evaluatePolicy(test.open(), { sessionId: session.id, event: { request: { content: 'hello' } } }),
      resolveElicitation(test.open(), { elicitationId: one.elicitation.id, action: 'ACCEPT' }),
    ]);
    expectKind(request, 'evaluated');
    expectKind(accept, 'resolved');
    expect(await stored(test.open(), waiting)).toMatchObject({ verdict: 'ALLOW', decidedBy: 'POLICY' });
  });
});
