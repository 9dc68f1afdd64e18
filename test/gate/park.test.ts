import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSession } from '../../src/gate/create-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { bash, eventually, expectKind, hold, pending, startAskingSession, stored } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate();
});

afterEach(async () => {
  await test.close();
});

describe('a holding caller that goes away', () => {
  it('leaves the ask pending for the grace time, then it is abandoned and its elicitation cancelled', async () => {
    const session = await startAskingSession(test.open());
    const caller = new AbortController();
    const held = await hold(test.open({ signal: caller.signal }), session);
    caller.abort();
    const left = await held.answer;
    await eventually(async () => (await stored(test.open(), left)).abandonAt);
    await test.pass(59);
    expect(await pending(test.open(), session)).toHaveLength(1);
    await test.pass(2);
    expect(await stored(test.open(), left)).toMatchObject({ status: 'ABANDONED', verdict: 'DENY', decidedBy: 'CANCELLATION' });
    expect(await pending(test.open(), session)).toEqual([]);
  });

  it('stops the clock when it comes back by its key', async () => {
    const session = await startAskingSession(test.open());
    const caller = new AbortController();
    const call = bash(session, 'ls', { idempotencyKey: 'k' });
    const held = await hold(test.open({ signal: caller.signal }), session, call);
    caller.abort();
    await held.answer;
    await test.pass(30);
    const again = evaluatePolicy(test.open(), call);
    await eventually(() => test.open().waiting.size === 1);
    await test.pass(600);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(expectKind(await again, 'evaluated').evaluation).toMatchObject({ verdict: 'ALLOW' });
  });

  it('does not start the clock while another caller holds the same evaluation', async () => {
    const session = await startAskingSession(test.open());
    const caller = new AbortController();
    const call = bash(session, 'ls', { idempotencyKey: 'k' });
    const held = await hold(test.open({ signal: caller.signal }), session, call);
    const other = evaluatePolicy(test.open(), call);
    await eventually(() => test.open().waiting.size === 2);
    caller.abort();
    await held.answer;
    await test.pass(600);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(expectKind(await other, 'evaluated').evaluation).toMatchObject({ verdict: 'ALLOW' });
  });
});

describe('waitSeconds', () => {
  it('0 answers at once with an undecided ASK, which waits as a ticket past any grace time', async () => {
    const session = await startAskingSession(test.open());
    const { evaluation } = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
    expect(evaluation).toMatchObject({ verdict: 'ASK', status: 'AWAITING_APPROVAL', decidedBy: null });
    await test.restart();
    await test.pass(3600);
    expect(await pending(test.open(), session)).toHaveLength(1);
  });

  it('holds the call for so long, then answers with the evaluation as it stands', async () => {
    const session = await startAskingSession(test.open());
    const started = Date.now();
    const { evaluation } = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 1 })), 'evaluated');
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
    expect(evaluation).toMatchObject({ verdict: 'ASK', status: 'AWAITING_APPROVAL' });
  });

  it('makes a ticket of a held call that is taken up with it', async () => {
    const session = await startAskingSession(test.open());
    const caller = new AbortController();
    const held = await hold(test.open({ signal: caller.signal }), session, bash(session, 'ls', { idempotencyKey: 'k' }));
    expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { idempotencyKey: 'k', waitSeconds: 0 })), 'evaluated');
    caller.abort();
    await held.answer;
    await test.pass(3600);
    expect(await pending(test.open(), session)).toHaveLength(1);
  });

  it.each([-1, 31_536_001])('refuses %s', async (waitSeconds) => {
    const session = await startAskingSession(test.open());
    expect(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds }))).toMatchObject({ kind: 'invalidInput', issues: [{ path: ['waitSeconds'] }] });
  });
});

describe('how long an ask may wait', () => {
  it("is the shortest of its askers' timeouts, each its own or else its agent's", async () => {
    const session = await startAskingSession(test.open(), { agent: { askTimeoutSeconds: 500 } });
    const { elicitation } = await hold(test.open(), session);
    expect(elicitation.expiresAt.getTime() - elicitation.requestedAt.getTime()).toBe(500_000);
  });

  it('is a day where nobody says', async () => {
    const session = await startAskingSession(test.open());
    const { elicitation } = await hold(test.open(), session);
    expect(elicitation.expiresAt.getTime() - elicitation.requestedAt.getTime()).toBe(86_400_000);
    expect(expectKind(await createSession(test.open(), { agentId: session.agent }), 'created').session.path).not.toContain(session.id);
  });
});
