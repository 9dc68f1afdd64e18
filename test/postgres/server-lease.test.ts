import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../src/entities/session.entity.ts';
import { createInMemoryEvents } from '../../src/events/in-memory.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { bash, eventually, expectKind, hold, pending, startAskingSession, stored, type Held } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let open: TestGate[];
let one: TestGate;
let two: TestGate;
let session: Session;

/** One more server on the same database, which hears the others. */
async function startServer(): Promise<TestGate> {
  const server = await openTestGate({ database: database.url, events: () => events, settings: { leaseSeconds: 600 } });
  open.push(server);
  return server;
}
let events = createInMemoryEvents();

beforeEach(async () => {
  database = await createDatabase({ isShared: true });
  events = createInMemoryEvents();
  open = [];
  one = await startServer();
  two = await startServer();
  session = await startAskingSession(one.open());
});
afterEach(async () => {
  for (const server of open) await server.close();
  await database.remove();
});

/** As the others see a server that was killed, or is stopped. */
async function fallSilent(server: TestGate): Promise<void> {
  await server.orm.em.getConnection().execute('update server set seen_at = seen_at - 3600000 where id = ?', [server.open().lease.id]);
}

async function evaluationOf({ elicitation }: Held) {
  const [evaluation] = await one.orm.em.fork().getConnection().execute<{ id: string }[]>('select id from evaluation where elicitation_id = ?', [elicitation.id]);
  return stored(one.open(), { id: evaluation?.id as never });
}

async function accept(server: TestGate, { elicitation }: Held): Promise<void> {
  expectKind(await resolveElicitation(server.open(), { elicitationId: elicitation.id, action: 'ACCEPT' }), 'resolved');
}

const withKey = { idempotencyKey: 'key' };

describe('a held call', () => {
  it('is noted with the server that holds it, in the row that the ask inserts', async () => {
    const held = await hold(one.open(), session);
    expect(await evaluationOf(held)).toMatchObject({ heldBy: one.open().lease.id, abandonAt: null });
    await accept(two, held);
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW', heldBy: null });
  });

  it('is not abandoned by the sweeps of other servers, nor by one that starts, however long it is held', async () => {
    const held = await hold(one.open(), session);
    const three = await startServer();
    for (const server of [two, three]) {
      await server.house.beat();
      await server.pass(3600);
    }
    expect(await evaluationOf(held)).toMatchObject({ status: 'AWAITING_APPROVAL', heldBy: one.open().lease.id, abandonAt: null });
    await accept(three, held);
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW' });
  });
});

describe('when a server dies', () => {
  it('what it held has the whole grace time from when another notices, and is abandoned then', async () => {
    const held = await hold(one.open(), session);
    two.skip(3600);
    await fallSilent(one);
    await two.house.beat();
    const { abandonAt, heldBy } = await evaluationOf(held);
    expect(heldBy).toBeNull();
    expect((abandonAt?.getTime() ?? 0) - two.open().now().getTime()).toBeGreaterThan(55_000);
    await two.pass(50);
    expect(await evaluationOf(held)).toMatchObject({ status: 'AWAITING_APPROVAL' });
    await two.pass(15);
    expect(await evaluationOf(held)).toMatchObject({ status: 'ABANDONED', verdict: 'DENY' });
    expect(two.log.lines.map(({ message }) => message)).toEqual([expect.stringContaining('servers have died')]);
  });

  it('a ticket of it waits on', async () => {
    const { evaluation } = expectKind(await evaluatePolicy(one.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
    await fallSilent(one);
    await two.house.beat();
    await two.pass(3600);
    expect(await stored(two.open(), evaluation)).toMatchObject({ status: 'AWAITING_APPROVAL', abandonAt: null, heldBy: null });
  });

  it('the caller takes its call up at another server', async () => {
    const held = await hold(one.open(), session, bash(session, 'ls', withKey));
    await fallSilent(one);
    await two.house.beat();
    const again = evaluatePolicy(two.open(), bash(session, 'ls', withKey));
    await eventually(async () => (await evaluationOf(held)).heldBy === two.open().lease.id);
    await two.pass(3600);
    await accept(two, held);
    expect(await again).toMatchObject({ evaluation: { verdict: 'ALLOW' } });
  });

  it('everybody resyncs, for it may have told nobody what it committed', async () => {
    const stop = new AbortController();
    const heard = (await events.subscribe('inbox', stop.signal))[Symbol.asyncIterator]();
    await fallSilent(one);
    await Promise.all([two.house.beat(), two.house.beat()]);
    expect(await heard.next()).toMatchObject({ value: { kind: 'resync' } });
    stop.abort();
    expect(await heard.next()).toMatchObject({ done: true });
  });

  it('and is not dead, but was stopped: it holds again what was not abandoned meanwhile, and answers what was', async () => {
    const [early, late] = [await hold(one.open(), session), await hold(one.open(), session)];
    await fallSilent(one);
    await two.house.beat();
    await two.orm.em.getConnection().execute("update evaluation set abandon_at = now() - interval '1 day' where id = ?", [(await evaluationOf(early)).id]);
    const publish = events.publish.bind(events);
    Object.assign(events, { publish: async () => undefined }); // it hears nothing while it is stopped
    const isHeld = one.open().waiting.isHeld;
    Object.assign(one.open().waiting, { isHeld: () => false }); // and sweeps nothing
    await two.pass(0);
    Object.assign(one.open().waiting, { isHeld });
    Object.assign(events, { publish });
    await one.house.beat();
    await events.resyncAll(); // as when its connection for events comes back
    expect(await early.answer).toMatchObject({ status: 'ABANDONED', verdict: 'DENY' });
    expect(await evaluationOf(late)).toMatchObject({ heldBy: one.open().lease.id, abandonAt: null });
    expect(one.log.lines.map(({ message }) => message)).toEqual([expect.stringContaining('was silent for longer than its lease')]);
    await two.pass(3600);
    await accept(two, late);
    expect(await late.answer).toMatchObject({ verdict: 'ALLOW' });
  });
});

describe('a call that two servers hold', () => {
  it('stays held when the one that began it loses its caller', async () => {
    const gone = new AbortController();
    const held = await hold(one.open({ signal: gone.signal }), session, bash(session, 'ls', withKey));
    const again = evaluatePolicy(two.open(), bash(session, 'ls', withKey));
    await eventually(async () => (await evaluationOf(held)).heldBy === two.open().lease.id);
    gone.abort();
    await held.answer;
    expect(await evaluationOf(held)).toMatchObject({ heldBy: two.open().lease.id, abandonAt: null });
    await accept(one, held);
    expect(await again).toMatchObject({ evaluation: { verdict: 'ALLOW' } });
  });

  it('stays held when the one that took it up last loses its caller', async () => {
    const gone = new AbortController();
    const held = await hold(one.open(), session, bash(session, 'ls', withKey));
    const again = evaluatePolicy(two.open({ signal: gone.signal }), bash(session, 'ls', withKey));
    await eventually(async () => (await evaluationOf(held)).heldBy === two.open().lease.id);
    gone.abort();
    await again;
    await one.house.beat();
    expect(await evaluationOf(held)).toMatchObject({ heldBy: one.open().lease.id, abandonAt: null });
    await accept(two, held);
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW' });
  });
});

describe('a server that stops', () => {
  it('gives up at once what it holds, and is gone', async () => {
    const held = await hold(one.open(), session);
    await one.house.close();
    expect(await held.answer).toMatchObject({ verdict: 'ASK', status: 'AWAITING_APPROVAL' });
    const { abandonAt, heldBy } = (await pending(two.open(), session)).length === 1 ? await evaluationOf(held) : { abandonAt: null, heldBy: null };
    expect(heldBy).toBeNull();
    expect(abandonAt).not.toBeNull();
    expect(await two.orm.em.getConnection().execute('select id from server')).toEqual([{ id: two.open().lease.id }]);
  });

  it('and was the last leaves a whole grace time to whoever is there when the next one starts', async () => {
    const held = await hold(one.open(), session, bash(session, 'ls', withKey));
    await one.house.close();
    await two.house.close();
    await two.orm.em.getConnection().execute(`update evaluation set abandon_at = now() - interval '1 day'`);
    const three = await startServer();
    const { abandonAt } = await stored(three.open(), await held.answer);
    expect((abandonAt?.getTime() ?? 0) - three.open().now().getTime()).toBeGreaterThan(55_000);
  });
});
