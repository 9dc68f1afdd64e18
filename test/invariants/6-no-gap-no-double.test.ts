import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Elicitation } from '../../src/entities/elicitation.entity.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { watchElicitations, type Watch } from '../../src/gate/watch-elicitations.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { bash, eventually, expectKind, hold, pending, startAskingSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate();
});

afterEach(async () => {
  await test.close();
});

/** A watcher that writes down what it sees. */
async function watch(options: Partial<Watch> = {}) {
  const stop = new AbortController();
  const watching = expectKind(
    await watchElicitations(() => test.open(), { kind: 'elicitationRequested', sessionId: null, includeDescendants: true, signal: stop.signal, ...options }),
    'watching',
  );
  const seen: Elicitation[] = [];
  const done = (async () => {
    for await (const elicitation of watching.elicitations) seen.push(elicitation);
  })();
  return { seen, ids: (): string[] => seen.map(({ id }) => id), stop: () => (stop.abort(), done) };
}

const ticket = async (session: Session) => {
  const { evaluation } = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
  return evaluation.elicitation ?? '';
};

describe('invariant 6: no gap, no double', () => {
  it('shows what is pending first, then each new ask, each once', async () => {
    const session = await startAskingSession(test.open());
    const before = [await ticket(session), await ticket(session)];
    const watcher = await watch();
    const after = [await ticket(session), await ticket(session)];
    await eventually(() => watcher.seen.length === 4);
    expect(watcher.ids()).toEqual([...before, ...after]);
    await watcher.stop();
  });

  it.each(['just before the watcher listens', 'just after it listens'])('shows an ask once that is raised %s', async (moment) => {
    await test.close();
    let raise: (() => Promise<unknown>) | null = null;
    test = await openTestGate({
      events: (events) => ({
        ...events,
        async subscribe(topic, signal) {
          if (moment === 'just before the watcher listens') await raise?.();
          const happenings = await events.subscribe(topic, signal);
          if (moment === 'just after it listens') await raise?.();
          return happenings;
        },
      }),
    });
    const session = await startAskingSession(test.open());
    const raised: string[] = [];
    raise = async () => raised.push(await ticket(session));
    const watcher = await watch();
    raise = null;
    raised.push(await ticket(session));
    await eventually(() => watcher.ids().includes(raised[1] ?? ''));
    expect(watcher.ids()).toEqual(raised);
    await watcher.stop();
  });

  it('misses nothing and repeats nothing, whenever a watcher comes, goes and comes again while asks come and go', async () => {
    const session = await startAskingSession(test.open());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('ask', 'accept', 'connect', 'turn', 'disconnect'), { minLength: 5, maxLength: 30 }), async (steps) => {
        const asked: string[] = [];
        const settled = new Set<string>();
        let connecting: ReturnType<typeof watch> | null = null;
        const tasks: Promise<unknown>[] = [];
        for (const step of steps) {
          if (step === 'ask') tasks.push(ticket(session).then((id) => asked.push(id)));
          if (step === 'accept') {
            const id = asked.find((one) => !settled.has(one));
            if (id === undefined) continue;
            settled.add(id);
            tasks.push(resolveElicitation(test.open(), { elicitationId: id, action: 'ACCEPT' }));
          }
          if (step === 'connect') connecting ??= watch();
          if (step === 'turn') await new Promise((resolve) => setImmediate(resolve));
          if (step === 'disconnect' && connecting) {
            const watcher = await connecting;
            await watcher.stop();
            expect(new Set(watcher.ids()).size).toBe(watcher.ids().length);
            connecting = null;
          }
        }
        const watcher = await (connecting ?? watch());
        await Promise.all(tasks);
        const open = (await pending(test.open(), session)).map(({ id }) => id);
        await eventually(() => open.every((id) => watcher.ids().includes(id)));
        expect(new Set(watcher.ids()).size).toBe(watcher.ids().length);
        await watcher.stop();
      }),
      { numRuns: 40 },
    );
  });

  it('lets a watcher resolve from within its own loop, a thousand times', async () => {
    const session = await startAskingSession(test.open());
    const stop = new AbortController();
    const watching = expectKind(
      await watchElicitations(() => test.open(), { kind: 'elicitationRequested', sessionId: session.id, includeDescendants: true, signal: stop.signal }),
      'watching',
    );
    const resolver = (async () => {
      for await (const { id } of watching.elicitations) expectKind(await resolveElicitation(test.open(), { elicitationId: id, action: 'ACCEPT' }), 'resolved');
    })();
    for (let batch = 0; batch < 20; batch += 1) {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => evaluatePolicy(test.open(), bash(session))));
      for (const outcome of outcomes) expect(expectKind(outcome, 'evaluated').evaluation.verdict).toBe('ALLOW');
    }
    stop.abort();
    await resolver;
  });

  it('shows a slow watcher what an ask has become meanwhile, not what it was', async () => {
    const session = await startAskingSession(test.open());
    const ids = [await ticket(session), await ticket(session)];
    const watching = expectKind(
      await watchElicitations(() => test.open(), { kind: 'elicitationRequested', sessionId: null, includeDescendants: true, signal: new AbortController().signal }),
      'watching',
    );
    const slow = watching.elicitations[Symbol.asyncIterator]();
    await slow.next();
    expectKind(await resolveElicitation(test.open(), { elicitationId: ids[1] ?? '', action: 'DECLINE' }), 'resolved');
    expect((await slow.next()).value).toMatchObject({ id: ids[1], action: 'DECLINE' });
  });

  it('tells of each resolution once, with who decided and how', async () => {
    const session = await startAskingSession(test.open());
    const watcher = await watch({ kind: 'elicitationResolved' });
    const held = await hold(test.open(), session);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'DECLINE' }), 'resolved');
    await eventually(() => watcher.seen.length > 0);
    expect(watcher.seen).toMatchObject([{ id: held.elicitation.id, action: 'DECLINE', resolvedBy: { id: 'local' } }]);
    await watcher.stop();
  });

  it("shows a session's watcher its sub-agents' asks, unless it wants its own only, and never those of strangers", async () => {
    const root = await startAskingSession(test.open());
    const stranger = await startAskingSession(test.open());
    const child = expectKind(await createSession(test.open(), { agentId: root.agent, parentId: root.id }), 'created').session;
    const grandchild = expectKind(await createSession(test.open(), { agentId: root.agent, parentId: child.id }), 'created').session;
    const all = await watch({ sessionId: root.id });
    const own = await watch({ sessionId: root.id, includeDescendants: false });
    const everything = await watch();
    const [a, b, c, d] = [await ticket(root), await ticket(child), await ticket(grandchild), await ticket(stranger)];
    await eventually(() => everything.seen.length === 4);
    expect(everything.ids()).toEqual([a, b, c, d]);
    expect(all.ids()).toEqual([a, b, c]);
    expect(own.ids()).toEqual([a]);
    await Promise.all([all.stop(), own.stop(), everything.stop()]);
  });

  it('leaves nothing behind when a thousand watchers come and go', async () => {
    const session = await startAskingSession(test.open());
    for (let index = 0; index < 1000; index += 1) await (await watch({ sessionId: session.id })).stop();
    const watcher = await watch({ sessionId: session.id });
    const id = await ticket(session);
    await eventually(() => watcher.seen.length === 1);
    expect(watcher.ids()).toEqual([id]);
    await watcher.stop();
  });

  it('says that a session is not there instead of watching nothing', async () => {
    const outcome = await watchElicitations(() => test.open(), { kind: 'elicitationRequested', sessionId: 'ses_nothing', includeDescendants: true, signal: new AbortController().signal });
    expect(outcome).toMatchObject({ kind: 'notFound', id: 'ses_nothing' });
  });
});
