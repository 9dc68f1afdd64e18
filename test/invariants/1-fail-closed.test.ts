import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { withdrawEvaluation } from '../../src/gate/withdraw-evaluation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { ask, deny, increment } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, expectKind, hold, pending, startAskingSession, startSession, stored } from '../support/journey.ts';
import { breakWrites } from '../support/break-writes.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

const throwing = defineHandler({
  name: 'test.throws',
  title: 'Throws',
  description: 'Throws on every tool call.',
  phases: ['TOOL_CALL'],
  judge: () => {
    throw new Error('the secret of the policy');
  },
});

const malformed = defineHandler({
  name: 'test.malformed',
  title: 'Malformed',
  description: 'Answers with something that is no opinion.',
  phases: ['TOOL_CALL'],
  judge: () => ({ kind: 'sure' }) as never,
});

const nul = defineHandler({
  name: 'test.nul',
  title: 'NUL',
  description: 'Denies with words that not every database keeps.',
  phases: ['TOOL_CALL'],
  judge: () => deny('no\0way'),
});

const counting = defineHandler({
  name: 'test.counting_ask',
  title: 'Counting ask',
  description: 'Asks, and counts what was accepted.',
  phases: ['TOOL_CALL'],
  judge: () => ask('may it?', { stateUpdates: [increment('accepted', 1)] }),
});

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate({ handlers: [throwing, malformed, nul, counting] });
});

afterEach(async () => {
  await test.close();
});

describe('invariant 1: only a stored, decided ALLOW is answered as ALLOW', () => {
  it.each(['test.throws', 'test.malformed'])('denies when a policy fails (%s), and tells neither the agent nor the approver what it threw', async (handler) => {
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { handler });
    const { evaluation } = expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated');
    expect(evaluation).toMatchObject({ verdict: 'DENY', status: 'DECIDED', decidedBy: 'FAILURE', decidingPolicies: ['os tools'] });
    expect(evaluation.reason).toContain(evaluation.id);
    expect(evaluation.reason).not.toContain('secret');
    expect(test.log.lines).toContainEqual(expect.objectContaining({ level: 'error', fields: expect.objectContaining({ evaluation: evaluation.id }) }));
  });

  it('keeps a denial whose words and whose tool have a NUL in them', async () => {
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { handler: nul.name });
    const { evaluation } = expectKind(await evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name: 'a\0b', arguments: { '\0': '\0' } } } }), 'evaluated');
    expect(await stored(test.open(), evaluation)).toMatchObject({ verdict: 'DENY', reason: 'no\\u{0}way', event: { target: 'a\0b', data: { arguments: { '\0': '\0' } } } });
  });

  it('refuses an ask, and stores nothing of it, when as many calls wait as may', async () => {
    await test.close();
    test = await openTestGate({ settings: { waitingMax: 1 } });
    const session = await startAskingSession(test.open());
    const held = await hold(test.open(), session);
    expect(await evaluatePolicy(test.open(), bash(session, 'second'))).toMatchObject({ kind: 'tooManyPending', limit: 1 });
    expect(await test.open().em.count(EvaluationSchema)).toBe(1);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW' });
  });

  it('answers no verdict at all when the evaluation cannot be stored', async () => {
    const session = await startSession(test.open());
    const mend = await breakWrites(test.orm, { on: 'insert', table: 'evaluation' });
    await expect(evaluatePolicy(test.open(), bash(session))).rejects.toThrow();
    await mend();
    expect(await test.open().em.count(EvaluationSchema)).toBe(0);
    expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated');
  });

  it('keeps an ask pending, and its call held, when the resolution cannot be stored', async () => {
    const session = await startAskingSession(test.open());
    const held = await hold(test.open(), session);
    const mend = await breakWrites(test.orm, { on: 'update', table: 'evaluation' });
    await expect(resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' })).rejects.toThrow();
    await mend();
    expect(await pending(test.open(), session)).toHaveLength(1);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'DECLINE' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'DENY', decidedBy: 'PERSON' });
  });

  it('denies by EXPIRY when nobody decides in time', async () => {
    const session = await startAskingSession(test.open(), { agent: { askTimeoutSeconds: 60 } });
    const held = await hold(test.open(), session);
    await test.pass(61);
    expect(await held.answer).toMatchObject({ verdict: 'DENY', status: 'DECIDED', decidedBy: 'EXPIRY' });
    expect(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' })).toMatchObject({ kind: 'alreadyResolved' });
    expect(await stored(test.open(), await held.answer)).toMatchObject({ verdict: 'DENY' });
  });

  it('denies by PERSON on decline, with the comment as the reason', async () => {
    const session = await startAskingSession(test.open());
    const held = await hold(test.open(), session);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'DECLINE', comment: ' not on production ' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'DENY', decidedBy: 'PERSON', reason: 'not on production' });
  });

  it('denies by CANCELLATION on cancel, on withdrawal and when the session ends', async () => {
    const session = await startAskingSession(test.open());
    const [cancelled, withdrawn, ended] = [await hold(test.open(), session), await hold(test.open(), session), await hold(test.open(), session)];
    expectKind(await resolveElicitation(test.open(), { elicitationId: cancelled.elicitation.id, action: 'CANCEL' }), 'resolved');
    expect(await cancelled.answer).toMatchObject({ verdict: 'DENY', status: 'DECIDED', decidedBy: 'CANCELLATION' });
    const [evaluation] = await test.open().em.find(EvaluationSchema, { elicitation: withdrawn.elicitation.id });
    expectKind(await withdrawEvaluation(test.open(), { evaluationId: evaluation?.id ?? '' }), 'withdrawn');
    expect(await withdrawn.answer).toMatchObject({ verdict: 'DENY', status: 'ABANDONED', decidedBy: 'CANCELLATION' });
    expectKind(await endSession(test.open(), { sessionId: session.id }), 'ended');
    expect(await ended.answer).toMatchObject({ verdict: 'DENY', decidedBy: 'CANCELLATION', reason: 'The session has ended.' });
    expect(await test.open().em.count(ElicitationSchema, { action: 'CANCEL' })).toBe(3);
    expect(await evaluatePolicy(test.open(), bash(session))).toMatchObject({ kind: 'conflict' });
  });

  it('denies an accepted call whose withheld writes do not fit the state any more', async () => {
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { handler: 'test.counting_ask' });
    const held = await hold(test.open(), session);
    await test.orm.em.fork().execute(`update session set state = '{"accepted":"text"}', version = 'another'`);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'DENY', decidedBy: 'FAILURE' });
  });

  it('cannot store an ALLOW that nobody decided', async () => {
    const session = await startAskingSession(test.open());
    const { evaluation } = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
    const forge = test.orm.em.fork().execute(`update evaluation set verdict = 'ALLOW' where id = '${evaluation.id}'`);
    await expect(forge).rejects.toThrow(/check constraint/i);
  });
});
