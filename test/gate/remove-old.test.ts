import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditEntrySchema } from '../../src/entities/audit-entry.entity.ts';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { leastIdAt, newEvaluationId } from '../../src/entities/id.ts';
import { SessionSchema } from '../../src/entities/session.entity.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { keepRemoving } from '../../src/gate/keep-removing.ts';
import { cursorOfPlace } from '../../src/gate/place.ts';
import { removeOld, type Removed } from '../../src/gate/remove-old.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { watchSessionEvents } from '../../src/gate/watch-session-events.ts';
import { attachPolicy, bash, expectKind, startAskingSession, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

const nothing = { evaluations: 0, elicitations: 0, events: 0, sessions: 0 };
const day = 86_400;

let test: TestGate;
let gate: Gate;
beforeEach(async () => {
  test = await openTestGate();
  gate = test.open();
});
afterEach(() => test.close());

function remove(daysAgo: number): Promise<Removed> {
  return removeOld({ em: test.orm.em, dialect: gate.dialect, before: new Date(gate.now().getTime() - daysAgo * day * 1000), pause: async () => undefined, signal: new AbortController().signal });
}

async function counts(): Promise<object> {
  return { evaluations: await gate.em.count(EvaluationSchema), elicitations: await gate.em.count(ElicitationSchema), sessions: await gate.em.count(SessionSchema) };
}

const search = { toolCall: { name: 'search', arguments: {} } };

describe('what is older than it may become', () => {
  it('goes, once it has ended: evaluations, elicitations, events and ended sessions, sub-agents before their parents', async () => {
    const session = await startAskingSession(gate);
    const { session: child } = expectKind(await createSession(gate, { agentId: session.agent, parentId: session.id }), 'created');
    await attachPolicy(gate, child, { name: 'of the child' });
    await evaluatePolicy(gate, { sessionId: child.id, event: search });
    const { evaluation } = expectKind(await evaluatePolicy(gate, bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
    expectKind(await resolveElicitation(test.open(), { elicitationId: String(evaluation.elicitation), action: 'DECLINE' }), 'resolved');
    await endSession(gate, { sessionId: session.id });
    const audited = await gate.em.count(AuditEntrySchema);
    expect(await remove(1)).toEqual(nothing);

    test.skip(40 * day);
    const removed = await remove(30);
    expect(removed).toMatchObject({ evaluations: 2, elicitations: 1, sessions: 1 });
    expect(removed.events).toBeGreaterThan(4);
    expect(await remove(30)).toEqual({ ...nothing, sessions: 1 }); // the parent, whose child has gone
    expect(await counts()).toEqual({ evaluations: 0, elicitations: 0, sessions: 0 });
    expect(await gate.em.count(AuditEntrySchema)).toBe(audited);
  });

  it('stays while it waits, and so does the session that it waits in', async () => {
    const session = await startAskingSession(gate);
    const { evaluation } = expectKind(await evaluatePolicy(gate, bash(session, 'ls', { waitSeconds: 0, idempotencyKey: 'k' })), 'evaluated');
    test.skip(40 * day); // beyond its deadline, and nobody has swept yet
    expect(await remove(30)).toMatchObject({ evaluations: 0, elicitations: 0, sessions: 0 });
    expect(await gate.em.findOneOrFail(EvaluationSchema, { id: evaluation.id })).toMatchObject({ verdict: 'ASK' });
  });

  it('stays as long as it was decided only lately, however long it has waited', async () => {
    const session = await startSession(gate);
    await attachPolicy(gate, session, { askTimeoutSeconds: 60 * day });
    const { evaluation } = expectKind(await evaluatePolicy(gate, bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
    test.skip(40 * day);
    expectKind(await resolveElicitation(test.open(), { elicitationId: String(evaluation.elicitation), action: 'ACCEPT' }), 'resolved');
    expect(await remove(30)).toMatchObject({ evaluations: 0, elicitations: 0 });
  });

  it('keeps an open session, whatever of it has gone', async () => {
    const session = await startSession(gate);
    await evaluatePolicy(gate, { sessionId: session.id, event: search });
    test.skip(40 * day);
    expect(await remove(30)).toMatchObject({ evaluations: 1, sessions: 0 });
    expectKind(await evaluatePolicy(test.open(), { sessionId: session.id, event: search }), 'evaluated');
    expect(await remove(30)).toMatchObject({ evaluations: 0 });
  });

  it('goes in batches, all of it', async () => {
    const session = await startSession(gate);
    await Promise.all(Array.from({ length: 1201 }, () => evaluatePolicy(gate, { sessionId: session.id, event: search })));
    test.skip(40 * day);
    let pauses = 0;
    const removed = await removeOld({ em: test.orm.em, dialect: gate.dialect, before: gate.now(), pause: async () => void (pauses += 1), signal: new AbortController().signal });
    expect(removed).toMatchObject({ evaluations: 1201, events: 1201 });
    expect(pauses).toBeGreaterThanOrEqual(4);
  });

  it('is gone for whoever follows the session from before: he is told to begin anew', async () => {
    const session = await startSession(gate);
    await evaluatePolicy(gate, { sessionId: session.id, event: search });
    const seen = cursorOfPlace((await firstEvent(session.id, null)).place);
    await evaluatePolicy(gate, { sessionId: session.id, event: search });
    expect(await firstEvent(session.id, seen)).toMatchObject({ type: 'EVALUATION_JUDGED' });
    test.skip(40 * day);
    await remove(30);
    await evaluatePolicy(test.open(), { sessionId: session.id, event: search });
    const resync = await firstEvent(session.id, seen);
    expect(resync).toMatchObject({ type: 'RESYNC', sessionId: session.id });
    expect(await firstEvent(session.id, cursorOfPlace(resync.place))).toMatchObject({ type: 'EVALUATION_JUDGED' });
  });
});

async function firstEvent(sessionId: string, after: string | null) {
  const ender = new AbortController();
  const { events } = expectKind(await watchSessionEvents(() => test.open(), { sessionId, after, signal: ender.signal, turn: async () => undefined }), 'watching');
  for await (const event of events) {
    ender.abort();
    return event;
  }
  throw new Error('There is none.');
}

it('servers remove by the days that they were given, and say so in the log', async () => {
  const session = await startSession(gate);
  await evaluatePolicy(gate, { sessionId: session.id, event: search });
  test.skip(40 * day);
  const retention = keepRemoving({ em: test.orm.em, dialect: gate.dialect, days: 30, now: () => gate.now(), log: test.log });
  await retention.run();
  await retention.close();
  expect(await counts()).toMatchObject({ evaluations: 0 });
  expect(test.log.lines.map(({ message }) => message)).toContain('removed what was older than retentionDays');
});

it('the least id of a moment is above every id from before, and below every id from after', () => {
  const earlier = newEvaluationId();
  const now = new Date(Date.now() + 5);
  expect(leastIdAt(newEvaluationId, now) > earlier).toBe(true);
  expect(leastIdAt(newEvaluationId, new Date(Date.now() - 5)) < newEvaluationId()).toBe(true);
});
