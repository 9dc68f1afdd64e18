import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../src/entities/principal.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { fullAccess, type Access } from '../../src/gate/access.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { cursorOfPlace } from '../../src/gate/place.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { watchInboxEvents, type InboxEvent } from '../../src/gate/watch-inbox-events.ts';
import { bash, eventually, expectKind, startAskingSession, startSession } from '../support/journey.ts';
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

async function watch(after: string | null = null, open: () => Gate = () => test.open()): Promise<InboxEvent[]> {
  const watching = expectKind(await watchInboxEvents(open, { after, signal: stop.signal, turn: () => Promise.resolve() }), 'watching');
  const seen: InboxEvent[] = [];
  void (async () => {
    for await (const event of watching.events) seen.push(event);
  })().catch(() => undefined); // the database is closed under the last one
  return seen;
}

async function ask(session: Session): Promise<string> {
  const { evaluation } = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
  return evaluation.elicitation ?? '';
}

async function decline(elicitationId: string): Promise<void> {
  expectKind(await resolveElicitation(test.open(), { elicitationId, action: 'DECLINE' }), 'resolved');
}

const brief = (events: readonly InboxEvent[]) => events.map(({ type, elicitation }) => [type, elicitation?.id ?? null]);
const cursor = (event: InboxEvent | undefined): string => (event ? cursorOfPlace(event.place) : '');

describe('the inbox', () => {
  it('is told of each ask and each end of one, of all sessions, in order, with whom', async () => {
    const [one, other] = [await startAskingSession(test.open()), await startAskingSession(test.open())];
    const seen = await watch();
    const first = await ask(one);
    const second = await ask(other);
    await decline(first);
    await test.pass(90_000);
    await eventually(() => seen.length === 4);
    expect(brief(seen)).toEqual([
      ['ELICITATION_REQUESTED', first],
      ['ELICITATION_REQUESTED', second],
      ['ELICITATION_RESOLVED', first],
      ['ELICITATION_EXPIRED', second],
    ]);
    expect(seen[2]).toMatchObject({ actor: { id: 'local' }, elicitation: { action: 'DECLINE' } });
  });

  it('is not told of what is allowed, of policies and of sessions', async () => {
    const session = await startSession(test.open());
    const seen = await watch();
    await evaluatePolicy(test.open(), bash(session));
    const asked = await ask(await startAskingSession(test.open()));
    await eventually(() => seen.length === 1);
    expect(brief(seen)).toEqual([['ELICITATION_REQUESTED', asked]]);
  });

  it('begins with what is pending, and leaves out what was over before that was asked', async () => {
    const session = await startAskingSession(test.open());
    await decline(await ask(session));
    const pending = await ask(session);
    const over = await ask(session);
    await decline(over);
    const seen = await watch();
    await eventually(() => seen.length === 3);
    expect(brief(seen)).toEqual([
      ['ELICITATION_REQUESTED', pending],
      ['ELICITATION_REQUESTED', over],
      ['ELICITATION_RESOLVED', over],
    ]);
  });

  it('begins with what happens next where nothing is pending', async () => {
    const session = await startAskingSession(test.open());
    await decline(await ask(session));
    const seen = await watch();
    const asked = await ask(session);
    await eventually(() => seen.length === 1);
    expect(brief(seen)).toEqual([['ELICITATION_REQUESTED', asked]]);
  });

  it('is told of visible sessions only, and by the right to see of the moment in which it is told', async () => {
    const bob: Principal = { kind: 'USER', id: 'bob', name: 'Bob' };
    const own = await startAskingSession(test.open({ principal: bob }));
    const foreign = await startAskingSession(test.open());
    const reach: Access = { ...fullAccess(bob), reach: { agents: null, ownSessionsOnly: true } };
    let access: Access = reach;
    const seen = await watch(null, () => test.open({ principal: bob, access }));
    await ask(foreign);
    const first = await ask(own);
    await eventually(() => seen.length === 1);
    expect(brief(seen)).toEqual([['ELICITATION_REQUESTED', first]]);
    access = { ...reach, reach: { agents: [], ownSessionsOnly: true } };
    await ask(own);
    await new Promise((resolve) => setTimeout(resolve, 800)); // one look for news takes place each half second
    access = reach;
    const third = await ask(own);
    await eventually(() => seen.length === 2);
    expect(brief(seen)[1]).toEqual(['ELICITATION_REQUESTED', third]);
  });

  it('goes on from any cursor without gap or double, also after a restart', async () => {
    const session = await startAskingSession(test.open());
    const seen = await watch();
    for (let count = 0; count < 120; count += 1) await decline(await ask(session));
    await eventually(() => seen.length === 240);
    stop.abort();
    stop = new AbortController();
    await test.restart();
    for (const index of [0, 99, 100, 238]) {
      const rest = await watch(cursor(seen[index]));
      await eventually(() => rest.length === 239 - index);
      expect(brief(rest)).toEqual(brief(seen.slice(index + 1)));
      expect(rest.map(({ place }) => place)).toEqual(seen.slice(index + 1).map(({ place }) => place));
    }
    const tail = await watch(cursor(seen[239]));
    const asked = await ask(session);
    await eventually(() => tail.length === 1);
    expect(brief(tail)).toEqual([['ELICITATION_REQUESTED', asked]]);
  });

  it('is read as fast as it is taken: who takes one event while 600 happen has them all in the end', async () => {
    const session = await startAskingSession(test.open());
    const watching = expectKind(await watchInboxEvents(() => test.open(), { after: null, signal: stop.signal, turn: () => Promise.resolve() }), 'watching');
    const events = watching.events[Symbol.asyncIterator]();
    const asked = [await ask(session)];
    const taken = [(await events.next()).value as InboxEvent];
    for (let round = 0; round < 6; round += 1) asked.push(...(await Promise.all(Array.from({ length: 100 }, () => ask(session)))));
    while (taken.length < asked.length) taken.push((await events.next()).value as InboxEvent);
    expect(new Set(taken.map(({ elicitation }) => elicitation?.id))).toEqual(new Set(asked));
  });
});

describe('a cursor of the inbox', () => {
  it('that is older than what is kept leads to a resync, and then to what is', async () => {
    const session = await startAskingSession(test.open());
    const seen = await watch();
    for (let count = 0; count < 5; count += 1) await ask(session);
    await eventually(() => seen.length === 5);
    const floor = seen[2]?.place;
    await test.orm.em.getConnection().execute('delete from session_event where position <= ?', [floor?.position]);
    await test.orm.em.getConnection().execute('update session_event_floor set transaction_id = ?, position = ?', [floor?.transactionId, floor?.position]);
    const rest = await watch(cursor(seen[0]));
    await eventually(() => rest.length === 3);
    expect(brief(rest)).toEqual([['RESYNC', null], ...brief(seen.slice(3))]);
    const after = await watch(cursor(rest[0]));
    await eventually(() => after.length === 2);
    const anew = await watch(); // some of what is pending was asked before what is kept
    await eventually(() => anew.length === 3);
    expect(brief(anew)).toEqual(brief(rest));
  });

  it('of a database that was put back to an earlier state since leads to a resync', async () => {
    const asked = await ask(await startAskingSession(test.open()));
    const seen = await watch(cursorOfPlace({ transactionId: 1_000_000_000, position: 1000 }));
    await eventually(() => seen.length === 2);
    expect(brief(seen)).toEqual([
      ['RESYNC', null],
      ['ELICITATION_REQUESTED', asked],
    ]);
  });

  it.each(['', 'x', 'YXQ6MS4', Buffer.from('at:1.2 ').toString('base64url'), '\u0000'])('%j is none', async (after) => {
    expect(await watchInboxEvents(() => test.open(), { after, signal: stop.signal, turn: () => Promise.resolve() })).toEqual({ kind: 'badCursor' });
  });
});
