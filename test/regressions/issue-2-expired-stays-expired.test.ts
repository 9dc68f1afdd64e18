import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ElicitationSchema, statusOf } from '../../src/entities/elicitation.entity.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { withdrawEvaluation } from '../../src/gate/withdraw-evaluation.ts';
import { bash, expectKind, hold, startAskingSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate();
});

afterEach(async () => {
  await test.close();
});

describe('an ask whose deadline has passed, though nobody has settled it yet', () => {
  it.each(['withdrawn', 'ended'] as const)('stays expired when it is %s', async (how) => {
    const session = await startAskingSession(test.open(), { agent: { askTimeoutSeconds: 60 } });
    const { elicitation, answer } = await hold(test.open(), session, bash(session, 'ls', { idempotencyKey: 'k' }));
    test.skip(61);
    expectKind(how === 'ended' ? await endSession(test.open(), { sessionId: session.id }) : await withdrawEvaluation(test.open(), { sessionId: session.id, idempotencyKey: 'k' }), how);
    expect(await answer).toMatchObject({ verdict: 'DENY', status: 'DECIDED', decidedBy: 'EXPIRY' });
    const row = await test.open().em.findOneOrFail(ElicitationSchema, { id: elicitation.id });
    expect(statusOf(row, test.open().now())).toBe('EXPIRED');
  });
});
