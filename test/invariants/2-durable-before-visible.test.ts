import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import type { Happening } from '../../src/gate/events.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { attachPolicy, bash, expectKind, hold, startAskingSession, startSession, stored } from '../support/journey.ts';
import { breakWrites } from '../support/break-writes.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase | null;
let test: TestGate;

beforeEach(() => {
  database = null;
});

afterEach(async () => {
  await test.close();
  await database?.remove();
});

describe('invariant 2: durable before visible', () => {
  it('has committed an evaluation when it answers', async () => {
    test = await openTestGate();
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { handler: 'safety.max_tool_calls_per_session', params: { limit: 50 } });
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => evaluatePolicy(test.open(), bash(session))));
    const answered = outcomes.map((outcome) => expectKind(outcome, 'evaluated').evaluation);
    for (const evaluation of answered) expect(await stored(test.open(), evaluation)).toMatchObject({ verdict: evaluation.verdict, status: 'DECIDED' });
    expect(answered.filter(({ verdict }) => verdict === 'ALLOW')).toHaveLength(50);
  });

  it('has committed what it announces when it announces it', async () => {
    const unseen: Happening[] = [];
    const announced: Happening['kind'][] = [];
    database = await createDatabase({ isShared: true });
    test = await openTestGate({
      database: database.url,
      events: (events) => ({
        ...events,
        async publish(topic, happening) {
          announced.push(happening.kind);
          if (!(await isStored(happening))) unseen.push(happening);
          await events.publish(topic, happening);
        },
      }),
    });
    const otherConnection = await openDatabase(database.url); // sees what is committed, and nothing else
    const isStored = async (happening: Happening) => {
      const em = otherConnection.em.fork();
      switch (happening.kind) {
        case 'elicitationRequested':
          return (await em.count(ElicitationSchema, { id: happening.elicitationId })) === 1;
        case 'elicitationResolved':
          return (await em.count(ElicitationSchema, { id: happening.elicitationId, settledAt: { $ne: null } })) === 1;
        case 'evaluationDecided':
          return (await em.count(EvaluationSchema, { id: happening.evaluationId, decidedAt: { $ne: null } })) === 1;
        default:
          return happening satisfies never;
      }
    };
    const session = await startAskingSession(test.open());
    const held = await hold(test.open(), session);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW' });
    await otherConnection.close();
    expect(unseen).toEqual([]);
    expect(new Set(announced)).toEqual(new Set(['elicitationRequested', 'elicitationResolved', 'evaluationDecided']));
  });

  it('announces nothing of an ask that could not be stored', async () => {
    const announced: Happening[] = [];
    test = await openTestGate({
      events: (events) => ({
        ...events,
        async publish(topic, happening) {
          announced.push(happening);
          await events.publish(topic, happening);
        },
      }),
    });
    const session = await startAskingSession(test.open());
    await breakWrites(test.orm, { on: 'insert', table: 'evaluation' });
    await expect(evaluatePolicy(test.open(), bash(session))).rejects.toThrow();
    expect(announced).toEqual([]);
    expect(await test.open().em.count(ElicitationSchema)).toBe(0);
  });
});
