import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { ask, set } from '../../src/policy/verdict.ts';
import { attachPolicy, expectKind, hold, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

/** Works until its first ask is accepted. */
const fragile = defineHandler({
  name: 'test.fragile',
  title: 'Fragile',
  description: 'Throws once something was accepted.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  judge: ({ facts }) => {
    if (facts.state['accepted'] === true) throw new Error('the password is hunter2');
    return ask('may it?', { stateUpdates: [set('accepted', true)] });
  },
});

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate({ handlers: [fragile] });
});

afterEach(async () => {
  await test.close();
});

describe('a policy that fails when what waits is judged again', () => {
  it('denies by FAILURE, tells the caller where to look, and is logged', async () => {
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { handler: 'test.fragile' });
    const held = [await hold(test.open(), session), await hold(test.open(), session)];
    expectKind(await resolveElicitation(test.open(), { elicitationId: held[0]?.elicitation.id ?? '', action: 'ACCEPT' }), 'resolved');
    const evaluation = await held[1]?.answer;
    expect(evaluation).toMatchObject({ verdict: 'DENY', decidedBy: 'FAILURE', reason: expect.stringContaining(`The server's log has more under ${evaluation?.id}`) });
    expect(evaluation?.reason).not.toContain('hunter2');
    expect(test.log.lines).toContainEqual(expect.objectContaining({ level: 'error', fields: expect.objectContaining({ evaluation: evaluation?.id }) }));
  });
});
