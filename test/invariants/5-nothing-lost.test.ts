import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { bash, eventually, expectKind, hold, pending, startAskingSession, stored } from '../support/journey.ts';
import { openTestGate, type TestGate, type TestGateOptions } from '../support/open-gate.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let test: TestGate;

beforeEach(async () => {
  database = await createDatabase({ isShared: true });
  test = await openTestGate({ database: database.url });
});

afterEach(async () => {
  await test.close();
  await database.remove();
});

/** Another process on the same database file, after this one is gone without a word. */
async function reopen(settings: TestGateOptions['settings'] = {}): Promise<void> {
  await test.orm.close();
  test = await openTestGate({ database: database.url, settings });
}

describe('invariant 5: nothing lost (see also test/crash)', () => {
  it('finds a pending elicitation after a restart, and its caller takes it up by the key', async () => {
    const session = await startAskingSession(test.open());
    const before = await hold(test.open(), session, bash(session, 'ls', { idempotencyKey: 'call 1' }));
    await reopen();
    expect((await pending(test.open(), session)).map(({ id }) => id)).toEqual([before.elicitation.id]);
    const again = evaluatePolicy(test.open(), bash(session, 'ls', { idempotencyKey: 'call 1' }));
    await eventually(() => test.open().waiting.size === 1);
    expectKind(await resolveElicitation(test.open(), { elicitationId: before.elicitation.id, action: 'ACCEPT' }), 'resolved');
    const { evaluation } = expectKind(await again, 'evaluated');
    expect(evaluation).toMatchObject({ verdict: 'ALLOW', elicitation: before.elicitation.id });
    expect(await test.open().em.count(EvaluationSchema)).toBe(1);
  });

  it('answers a decided call again by its key, without another elicitation', async () => {
    const session = await startAskingSession(test.open());
    const held = await hold(test.open(), session, bash(session, 'ls', { idempotencyKey: 'k' }));
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'DECLINE' }), 'resolved');
    const first = await held.answer;
    await reopen();
    const again = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { idempotencyKey: 'k' })), 'evaluated');
    expect(again.evaluation).toMatchObject({ id: first.id, verdict: 'DENY', decidedBy: 'PERSON' });
    expect(await pending(test.open(), session)).toEqual([]);
  });

  it('makes one evaluation of many simultaneous calls with one key', async () => {
    const session = await startAskingSession(test.open());
    const calls = Array.from({ length: 20 }, () => evaluatePolicy(test.open(), bash(session, 'ls', { idempotencyKey: 'same' })));
    await eventually(() => test.open().waiting.size === 20);
    const [elicitation, ...others] = await eventually(async () => {
      const stored = await pending(test.open(), session);
      return stored.length > 0 && stored;
    });
    expect(others).toEqual([]);
    expectKind(await resolveElicitation(test.open(), { elicitationId: elicitation?.id ?? '', action: 'ACCEPT' }), 'resolved');
    const answers = (await Promise.all(calls)).map((outcome) => expectKind(outcome, 'evaluated').evaluation);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.every(({ verdict }) => verdict === 'ALLOW')).toBe(true);
  });

  it('expires what became overdue while no server ran', async () => {
    const session = await startAskingSession(test.open(), { agent: { askTimeoutSeconds: 1 } });
    const { evaluation } = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
    await test.orm.close();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    test = await openTestGate({ database: database.url });
    await test.house.sweep();
    expect(await stored(test.open(), evaluation)).toMatchObject({ verdict: 'DENY', decidedBy: 'EXPIRY', status: 'DECIDED' });
  });

  it('gives the callers of before a restart the whole grace time again, then abandons', async () => {
    const session = await startAskingSession(test.open());
    await hold(test.open(), session, bash(session, 'ls', { idempotencyKey: 'k' }));
    await reopen({ leaseSeconds: 0.2 });
    await eventually(() => test.open().em.count(EvaluationSchema, { abandonAt: { $ne: null } })); // where servers share the database, once the one before counts as dead
    await test.pass(59);
    expect(await pending(test.open(), session)).toHaveLength(1);
    await test.pass(2);
    expect(await pending(test.open(), session)).toEqual([]);
    const again = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { idempotencyKey: 'k' })), 'evaluated');
    expect(again.evaluation).toMatchObject({ verdict: 'DENY', status: 'ABANDONED', decidedBy: 'CANCELLATION' });
  });

  it('wakes a waiter though the event of the decision was lost', async () => {
    await test.close();
    test = await openTestGate({ database: database.url, settings: { rereadSeconds: 0.05 }, events: (events) => ({ ...events, publish: () => Promise.reject(new Error('the network is down')) }) });
    const session = await startAskingSession(test.open());
    const held = await hold(test.open(), session);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW' });
    expect(test.log.lines.some(({ message }) => message.includes('could not be published'))).toBe(true);
  });

  it('answers the held calls with ASK, AWAITING_APPROVAL when the server shuts down, and keeps the ask', async () => {
    const session = await startAskingSession(test.open());
    const held = await hold(test.open(), session);
    await test.restart();
    expect(await held.answer).toMatchObject({ verdict: 'ASK', status: 'AWAITING_APPROVAL', decidedBy: null });
    expect(await pending(test.open(), session)).toHaveLength(1);
  });
});
