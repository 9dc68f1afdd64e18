import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../src/entities/session.entity.ts';
import { deletePolicy } from '../../src/gate/delete-policy.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { cursorOfPlace } from '../../src/gate/place.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { updateSession } from '../../src/gate/update-session.ts';
import { watchSessionEvents, type SessionEvent } from '../../src/gate/watch-session-events.ts';
import { withdrawEvaluation } from '../../src/gate/withdraw-evaluation.ts';
import { attachPolicy, bash, eventually, expectKind, startAskingSession, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;
let stop: AbortController;

beforeEach(async () => {
  stop = new AbortController();
  test = await openTestGate();
});
afterEach(async () => {
  stop.abort();
  await test.close();
});

async function watch({ id }: Pick<Session, 'id'>, after: string | null = null, open: () => Gate = () => test.open()): Promise<SessionEvent[]> {
  const watching = expectKind(await watchSessionEvents(open, { sessionId: id, after, signal: stop.signal, turn: () => Promise.resolve() }), 'watching');
  const seen: SessionEvent[] = [];
  void (async () => {
    for await (const event of watching.events) seen.push(event);
  })().catch(() => undefined); // the database is closed under the last one
  return seen;
}

const types = (events: readonly SessionEvent[]): string[] => events.map(({ type }) => type);
const cursor = (event: SessionEvent | undefined): string => (event ? cursorOfPlace(event.place) : '');

async function judge(session: Session, command = 'ls') {
  return expectKind(await evaluatePolicy(test.open(), bash(session, command, { waitSeconds: 0 })), 'evaluated').evaluation;
}

describe('what happens in a session', () => {
  it('is told from the oldest on, each once, in order, with whom and what it happened to', async () => {
    const session = await startSession(test.open());
    const allowed = await judge(session);
    const seen = await watch(session);
    const policy = await attachPolicy(test.open(), session);
    const asked = await judge(session);
    await eventually(() => seen.length === 4);
    expectKind(await resolveElicitation(test.open(), { elicitationId: asked.elicitation ?? '', action: 'DECLINE' }), 'resolved');
    const left = await judge(session, 'pwd');
    await withdrawEvaluation(test.open(), { evaluationId: left.id });
    await updateSession(test.open(), { sessionId: session.id, title: 'a title' });
    await deletePolicy(test.open(), { policyId: policy.id });
    await endSession(test.open(), { sessionId: session.id });
    await eventually(() => seen.length === 12);
    expect(types(seen)).toEqual([
      'EVALUATION_JUDGED',
      'POLICY_CREATED',
      'EVALUATION_JUDGED',
      'ELICITATION_REQUESTED',
      'ELICITATION_RESOLVED',
      'EVALUATION_JUDGED',
      'ELICITATION_REQUESTED',
      'EVALUATION_ABANDONED',
      'ELICITATION_RESOLVED',
      'SESSION_UPDATED',
      'POLICY_DELETED',
      'SESSION_ENDED',
    ]);
    expect(seen[0]).toMatchObject({ subject: allowed.id, actor: null, sessionId: session.id });
    expect(seen[3]).toMatchObject({ subject: asked.elicitation, actor: { id: 'local' } });
    expect(seen[10]).toMatchObject({ subject: policy.id, name: 'os tools', actor: { id: 'local' } });
  });

  it('is not told of other sessions, nor to those who do not see it', async () => {
    const [session, other] = [await startAskingSession(test.open()), await startAskingSession(test.open())];
    await judge(other);
    await judge(session);
    const seen = await watch(session);
    await eventually(() => seen.length === 3);
    expect(seen.every(({ sessionId }) => sessionId === session.id)).toBe(true);
  });

  it('leaves policies out for an agent', async () => {
    const session = await startAskingSession(test.open());
    await judge(session);
    const { access, principal } = test.open();
    const seen = await watch(session, null, () => test.open({ principal, access: { ...access, roles: ['AGENT'] } }));
    await eventually(() => seen.length === 2);
    expect(types(seen)).toEqual(['EVALUATION_JUDGED', 'ELICITATION_REQUESTED']);
  });

  it('goes on from any cursor without gap or double, also after a restart', async () => {
    const session = await startSession(test.open());
    for (let count = 0; count < 250; count += 1) await judge(session);
    const all = await watch(session);
    await eventually(() => all.length === 250);
    stop.abort();
    stop = new AbortController();
    await test.restart();
    for (const index of [0, 99, 100, 248]) {
      const rest = await watch(session, cursor(all[index]));
      await eventually(() => rest.length === 249 - index);
      expect(rest).toEqual(all.slice(index + 1));
    }
    const tail = await watch(session, cursor(all[249]));
    await judge(session);
    await eventually(() => tail.length === 1);
  });

  it('is read as fast as it is taken: who takes one event while 3,000 happen has them all in the end', async () => {
    const session = await startSession(test.open());
    const watching = expectKind(await watchSessionEvents(() => test.open(), { sessionId: session.id, after: null, signal: stop.signal, turn: () => Promise.resolve() }), 'watching');
    const events = watching.events[Symbol.asyncIterator]();
    await Promise.all(Array.from({ length: 1500 }, () => judge(session)));
    const subjects = [(await events.next()).value as SessionEvent];
    await Promise.all(Array.from({ length: 1500 }, () => judge(session)));
    while (subjects.length < 3000) subjects.push((await events.next()).value as SessionEvent);
    expect(new Set(subjects.map(({ subject }) => subject)).size).toBe(3000);
  });
});

describe('a cursor', () => {
  it('of what is not kept any more leads to a resync, and then to what is', async () => {
    const session = await startSession(test.open());
    for (let count = 0; count < 5; count += 1) await judge(session);
    const all = await watch(session);
    await eventually(() => all.length === 5);
    const floor = all[2]?.place;
    await test.orm.em.getConnection().execute('delete from session_event where position <= ?', [floor?.position]);
    await test.orm.em.getConnection().execute('update session_event_floor set transaction_id = ?, position = ?', [floor?.transactionId, floor?.position]);
    const rest = await watch(session, cursor(all[0]));
    await eventually(() => rest.length === 3);
    expect(types(rest)).toEqual(['RESYNC', 'EVALUATION_JUDGED', 'EVALUATION_JUDGED']);
    const after = await watch(session, cursor(rest[0]));
    await eventually(() => after.length === 2);
    expect(types(after)).toEqual(['EVALUATION_JUDGED', 'EVALUATION_JUDGED']);
  });

  it('of a database that was put back to an earlier state since leads to a resync', async () => {
    const session = await startSession(test.open());
    await judge(session);
    const seen = await watch(session, cursorOfPlace({ transactionId: 1_000_000_000, position: 1000 }));
    await eventually(() => seen.length === 2);
    expect(types(seen)).toEqual(['RESYNC', 'EVALUATION_JUDGED']);
  });

  it.each(['', 'x', 'YXQ6MS4', Buffer.from('at:1.2 ').toString('base64url'), Buffer.from('ses_1').toString('base64url'), '\u0000'])('%j is none', async (after) => {
    const session = await startSession(test.open());
    expect(await watchSessionEvents(() => test.open(), { sessionId: session.id, after, signal: stop.signal, turn: () => Promise.resolve() })).toEqual({ kind: 'badCursor' });
  });
});
