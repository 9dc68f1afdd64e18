import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localUser, type Principal } from '../../src/entities/principal.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { resolveElicitations } from '../../src/gate/resolve-elicitations.ts';
import { expectKind, hold, pending, startAskingSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

const agentKey: Principal = { kind: 'AGENT_KEY', id: 'key-agent', name: 'The agent' };
const approver: Principal = { kind: 'USER', id: 'user-approver', name: 'The approver' };

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate();
});

afterEach(async () => {
  await test.close();
});

describe('invariant 8: no self-approval', () => {
  it('keeps who evaluates on a session from accepting on it, alone and in bulk; another person may', async () => {
    const session = await startAskingSession(test.open());
    const held = await hold(test.open({ principal: agentKey }), session);
    const { id } = held.elicitation;
    expectKind(await resolveElicitation(test.open({ principal: agentKey }), { elicitationId: id, action: 'ACCEPT' }), 'forbidden');
    expectKind(await resolveElicitations(test.open({ principal: agentKey }), { ids: [id], action: 'ACCEPT' }), 'forbidden');
    expect(await pending(test.open(), session)).toHaveLength(1);
    expectKind(await resolveElicitation(test.open({ principal: approver }), { elicitationId: id, action: 'ACCEPT' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW' });
  });

  it('counts any evaluation on the session, not only the one that asks', async () => {
    const session = await startAskingSession(test.open());
    expectKind(await evaluatePolicy(test.open({ principal: approver }), { sessionId: session.id, event: { request: { content: 'hello' } } }), 'evaluated');
    const held = await hold(test.open({ principal: agentKey }), session);
    expectKind(await resolveElicitation(test.open({ principal: approver }), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'forbidden');
  });

  it('lets who evaluates decline and cancel: to refuse oneself grants nothing', async () => {
    const session = await startAskingSession(test.open());
    const held = await hold(test.open({ principal: agentKey }), session);
    expectKind(await resolveElicitation(test.open({ principal: agentKey }), { elicitationId: held.elicitation.id, action: 'DECLINE' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'DENY' });
  });

  it('lets the single local user approve what it evaluates', async () => {
    const session = await startAskingSession(test.open());
    const held = await hold(test.open({ principal: localUser }), session);
    expectKind(await resolveElicitation(test.open({ principal: localUser }), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW' });
  });
});
