import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { EvaluationSchema, type Evaluation } from '../../src/entities/evaluation.entity.ts';
import { createSigner } from '../../src/gate/checkpoint.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { deletePolicy } from '../../src/gate/delete-policy.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { previewEvaluation } from '../../src/gate/preview-evaluation.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { resolveElicitations } from '../../src/gate/resolve-elicitations.ts';
import { updatePolicy } from '../../src/gate/update-policy.ts';
import { updateSession } from '../../src/gate/update-session.ts';
import { verifyAuditLog } from '../../src/gate/verify-audit-log.ts';
import { attachPolicy, bash, expectKind, hold, pending, startAskingSession, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

/** Four servers before one database, of which none ever hears an event of another. */
let database: TestDatabase;
let servers: TestGate[];

beforeEach(async () => {
  database = await createDatabase();
  servers = await Promise.all(Array.from({ length: 4 }, () => openTestGate({ database: database.url, settings: { rereadSeconds: 0.05 } })));
});
afterEach(async () => {
  const verdict = await verifyAuditLog(server(0).orm.em, { checkpoints: [], signer: createSigner('of the test') });
  expect(verdict).toMatchObject({ kind: 'intact' });
  for (const each of servers) await each.close();
  await database.remove();
});

function server(index: number): TestGate {
  const found = servers[index % servers.length];
  if (!found) throw new Error('There is no server.');
  return found;
}

async function evaluate(index: number, call: ReturnType<typeof bash>): Promise<Evaluation> {
  return expectKind(await evaluatePolicy(server(index).open(), call), 'evaluated').evaluation;
}

describe('several servers on one database', () => {
  it('count the calls of a session exactly, however they come', async () => {
    const session = await startSession(server(0).open());
    await attachPolicy(server(0).open(), session, { handler: 'safety.max_tool_calls_per_session', params: { limit: 40 } });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => evaluate(index, bash(session, `ls ${index}`))));
    expect(answers.filter(({ verdict }) => verdict === 'ALLOW')).toHaveLength(40);
    expect(answers.filter(({ verdict }) => verdict === 'DENY')).toHaveLength(60);
    expect(await server(0).open().em.count(EvaluationSchema)).toBe(100);
  });

  it('judge by a policy that another of them has created, changed or deleted, from its answer on', async () => {
    const session = await startSession(server(0).open());
    for (let round = 0; round < 5; round += 1) {
      expect(await evaluate(1, bash(session))).toMatchObject({ verdict: 'ALLOW' });
      const policy = await attachPolicy(server(0).open(), session, { handler: 'safety.fixed_action', params: { action: 'DENY', reason: 'no' } });
      for (const index of [1, 2, 3]) expect(await evaluate(index, bash(session))).toMatchObject({ verdict: 'DENY' });
      expectKind(await updatePolicy(server(2).open(), { policyId: policy.id, enabled: false }), 'updated');
      for (const index of [0, 1, 3]) expect(await evaluate(index, bash(session))).toMatchObject({ verdict: 'ALLOW' });
      expectKind(await updatePolicy(server(3).open(), { policyId: policy.id, enabled: true }), 'updated');
      expect(expectKind(await previewEvaluation(server(1).open(), bash(session)), 'previewed')).toMatchObject({ decision: { verdict: 'DENY' } });
      expectKind(await deletePolicy(server(1).open(), { policyId: policy.id }), 'deleted');
    }
  });

  it('judge by the labels that another of them has changed', async () => {
    const session = await startSession(server(0).open(), { labels: { stage: 'test' } });
    await attachPolicy(server(0).open(), session, { handler: 'safety.fixed_action', params: { action: 'DENY', reason: 'no' }, condition: { stage: 'live' } });
    for (const index of [0, 1]) expect(await evaluate(index, bash(session))).toMatchObject({ verdict: 'ALLOW' });
    expectKind(await updateSession(server(0).open(), { sessionId: session.id, labels: { stage: 'live' } }), 'updated');
    expect(await evaluate(1, bash(session))).toMatchObject({ verdict: 'DENY' });
  });

  it('refuse a session that another of them has ended, and let nothing begin below it', async () => {
    const session = await startSession(server(0).open());
    for (const index of [0, 1]) await evaluate(index, bash(session));
    const children = Promise.all(Array.from({ length: 12 }, (_, index) => createSession(server(index).open(), { agentId: session.agent, parentId: session.id })));
    expectKind(await endSession(server(0).open(), { sessionId: session.id }), 'ended');
    expect((await evaluatePolicy(server(1).open(), bash(session))).kind).toBe('conflict');
    for (const outcome of await children) {
      if (outcome.kind === 'created') expect((await evaluatePolicy(server(1).open(), bash(outcome.session))).kind).toBe('conflict');
    }
  });

  it('let one of twenty racing resolutions win, and wake the call at the server where it waits', async () => {
    const session = await startAskingSession(server(0).open());
    const { elicitation, answer } = await hold(server(1).open(), session);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => resolveElicitation(server(index).open({ principal: { kind: 'USER', id: `u${index}`, name: `u${index}` } }), { elicitationId: elicitation.id, action: index % 2 === 0 ? 'ACCEPT' : 'DECLINE' })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'resolved')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'alreadyResolved')).toHaveLength(19);
    const winner = outcomes.findIndex(({ kind }) => kind === 'resolved');
    expect(await answer).toMatchObject({ verdict: winner % 2 === 0 ? 'ALLOW' : 'DENY', decidedBy: 'PERSON' });
  });

  it('make one evaluation and one elicitation of one idempotency key', async () => {
    const session = await startAskingSession(server(0).open());
    const calls = Array.from({ length: 12 }, (_, index) => evaluate(index, bash(session, 'ls', { idempotencyKey: 'same', waitSeconds: 0 })));
    expect(new Set((await Promise.all(calls)).map(({ id }) => id)).size).toBe(1);
    expect(await server(0).open().em.count(EvaluationSchema)).toBe(1);
    expect(await server(0).open().em.count(ElicitationSchema)).toBe(1);
  });

  it('stand not in each other’s way for ever when many resolve, ask and end across sessions at once', { timeout: 60_000 }, async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => startAskingSession(server(0).open())));
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(sessions.map((session, index) => evaluate(index, bash(session, `ls ${round}`, { waitSeconds: 0 }))));
      const ids = (await Promise.all(sessions.map((session) => pending(server(0).open(), session)))).flat().map(({ id }) => id);
      const bulk = [ids, ids.toReversed()].map((each, index) => resolveElicitations(server(index).open(), { ids: each, action: 'ACCEPT' }));
      const asks = sessions.map((session, index) => evaluate(index + 1, bash(session, `pwd ${round}`, { waitSeconds: 0 })));
      const outcomes = await Promise.all(bulk);
      expect(outcomes.every(({ kind }) => kind === 'resolved' || kind === 'alreadyResolved')).toBe(true);
      expect((await Promise.all(asks)).every(({ verdict }) => verdict === 'ASK')).toBe(true);
    }
    await Promise.all(sessions.map((session, index) => endSession(server(index).open(), { sessionId: session.id })));
    expect(await server(0).open().em.count(ElicitationSchema, { settledAt: null })).toBe(0);
  });
});
