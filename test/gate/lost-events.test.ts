import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Elicitation } from '../../src/entities/elicitation.entity.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import type { Events } from '../../src/gate/events.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { watchElicitations, type Watch } from '../../src/gate/watch-elicitations.ts';
import { bash, eventually, expectKind, hold, pending, startAskingSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;
let isDown: boolean;
let stop: AbortController;

/** Events that are lost while the connection is down. */
const unreliable = (events: Events): Events => ({ ...events, publish: async (...call) => (isDown ? undefined : events.publish(...call)) });

beforeEach(async () => {
  isDown = false;
  stop = new AbortController();
  test = await openTestGate({ events: unreliable, settings: { rereadSeconds: 3600, limits: { pendingPerPrincipal: 10_000, pendingTotal: 100 } } });
});
afterEach(async () => {
  stop.abort();
  await test.close();
});

async function comeBack(): Promise<void> {
  isDown = false;
  await test.events.resyncAll();
}

async function watch(kind: Watch['kind'], session: Session | null = null, includeDescendants = true): Promise<Elicitation[]> {
  const watching = expectKind(await watchElicitations(() => test.open(), { kind, sessionId: session?.id ?? null, includeDescendants, signal: stop.signal }), 'watching');
  const seen: Elicitation[] = [];
  void (async () => {
    for await (const elicitation of watching.elicitations) seen.push(elicitation);
  })();
  return seen;
}

async function ask(session: Session): Promise<string> {
  const { evaluation } = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
  return evaluation.elicitation ?? '';
}

async function accept(elicitationId: string): Promise<void> {
  expectKind(await resolveElicitation(test.open(), { elicitationId, action: 'ACCEPT' }), 'resolved');
}

const ids = (elicitations: readonly Elicitation[]): string[] => elicitations.map(({ id }) => id);

describe('after events were lost', () => {
  it('a held call whose answer nobody told it of wakes, and one that is still pending goes on waiting', async () => {
    const session = await startAskingSession(test.open());
    const [decided, waiting] = [await hold(test.open(), session), await hold(test.open(), session)];
    isDown = true;
    await accept(decided.elicitation.id);
    await comeBack();
    expect(await decided.answer).toMatchObject({ verdict: 'ALLOW' });
    await accept(waiting.elicitation.id);
    expect(await waiting.answer).toMatchObject({ verdict: 'ALLOW' });
  });

  it('two hundred held calls wake, all that were decided', async () => {
    await test.close();
    test = await openTestGate({ events: unreliable, settings: { rereadSeconds: 3600 } });
    const session = await startAskingSession(test.open());
    const calls = Array.from({ length: 200 }, () => evaluatePolicy(test.open(), bash(session)));
    const elicitations = await eventually(async () => {
      const asked = await pending(test.open(), session);
      return asked.length === 200 && asked;
    });
    isDown = true;
    for (const { id } of elicitations) await accept(id);
    await comeBack();
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome.kind === 'evaluated' && outcome.evaluation.verdict === 'ALLOW')).toHaveLength(200);
  });

  it('a watcher of requests gets what it missed, once, and nothing again', async () => {
    const session = await startAskingSession(test.open());
    const first = await ask(session);
    const seen = await watch('elicitationRequested');
    const second = await ask(session);
    await eventually(() => seen.length === 2);
    isDown = true;
    const third = await ask(session);
    await accept(first);
    await comeBack();
    await eventually(() => seen.length === 3);
    await test.events.resyncAll();
    const fourth = await ask(session);
    await eventually(() => seen.length === 4);
    expect(ids(seen)).toEqual([first, second, third, fourth]);
  });

  it("a watcher of one session without descendants gets that session's only", async () => {
    const [session, other] = [await startAskingSession(test.open()), await startAskingSession(test.open())];
    const seen = await watch('elicitationRequested', session, false);
    isDown = true;
    await ask(other);
    const missed = await ask(session);
    await comeBack();
    await eventually(() => seen.length === 1);
    expect(ids(seen)).toEqual([missed]);
  });

  it('a watcher of resolutions gets what was resolved meanwhile, once', async () => {
    const session = await startAskingSession(test.open());
    const before = await ask(session);
    const seen = await watch('elicitationResolved');
    const known = await ask(session);
    isDown = true;
    await accept(before);
    await accept(known);
    await comeBack();
    await eventually(() => seen.length === 2);
    const later = await ask(session);
    await accept(later);
    await eventually(() => seen.length === 3);
    expect(ids(seen)).toEqual([before, known, later]);
  });

  it('a watcher of resolutions gets what was both asked and resolved meanwhile, and so does that of a session above', async () => {
    const session = await startAskingSession(test.open());
    const child = await startAskingSession(test.open(), { parentId: session.id });
    const other = await startAskingSession(test.open());
    const [all, below, alone] = [await watch('elicitationResolved'), await watch('elicitationResolved', session), await watch('elicitationResolved', session, false)];
    isDown = true;
    const missed = [await ask(session), await ask(child), await ask(other)];
    for (const id of missed) await accept(id);
    await comeBack();
    await eventually(() => all.length === 3 && below.length === 2 && alone.length === 1);
    await test.events.resyncAll();
    const later = await ask(session);
    await accept(later);
    await eventually(() => all.length === 4 && below.length === 3 && alone.length === 2);
    expect([ids(all), ids(below), ids(alone)]).toEqual([[...missed, later], [...missed.slice(0, 2), later], [...missed.slice(0, 1), later]]);
  });

  it('a watcher of resolutions who heard of more than are remembered is told none of them again', { timeout: 60_000 }, async () => {
    const session = await startAskingSession(test.open());
    const seen = await watch('elicitationResolved');
    for (let round = 0; round < 11; round += 1) {
      const asked = await Promise.all(Array.from({ length: 50 }, () => ask(session)));
      await Promise.all(asked.map(accept));
    }
    await eventually(() => seen.length === 550);
    await test.events.resyncAll();
    const last = await ask(session);
    await accept(last);
    await eventually(() => seen.at(-1)?.id === last);
    expect(new Set(ids(seen)).size).toBe(551);
    expect(seen).toHaveLength(551);
  });

  it('the places of what was decided meanwhile are free at the next sweep', async () => {
    const session = await startAskingSession(test.open());
    const all = await Promise.all(Array.from({ length: 100 }, () => ask(session)));
    expectKind(await evaluatePolicy(test.open(), bash(session)), 'tooManyPending');
    isDown = true;
    for (const id of all.slice(0, 10)) await accept(id);
    await comeBack();
    await test.house.sweep();
    await ask(session);
  });
});
