import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newElicitationId, newSessionId } from '../../src/entities/id.ts';
import type { Events, Happening, Resync, Topic } from '../../src/gate/events.ts';

export interface EventsUnderTest {
  readonly events: Events;
  /** How many subscriptions are live underneath. */
  liveCount(): number | Promise<number>;
  /** The events of another process of the same installation. Omitted: there is only one. */
  openOther?(): Promise<Events>;
  close?(): Promise<void>;
}

/** What the port promises, over any implementation. */
export function describeEvents(name: string, open: () => Promise<EventsUnderTest>): void {
  describe(`events: ${name}`, () => {
    let under: EventsUnderTest;
    let events: Events;
    let ender: AbortController;
    const topic: Topic = `session:${newSessionId()}`;

    beforeEach(async () => {
      under = await open();
      events = under.events;
      ender = new AbortController();
    });
    afterEach(async () => {
      ender.abort();
      await under.close?.();
    });

    it('delivers what is published right after the subscription is live, though nobody has asked for it yet', async () => {
      const heard = await events.subscribe(topic, ender.signal);
      const said = happening();
      await events.publish(topic, said);
      expect(await take(heard, 1)).toEqual([said]);
    });

    it('does not deliver what was published before', async () => {
      await events.publish(topic, happening());
      const heard = await events.subscribe(topic, ender.signal);
      const later = happening();
      await events.publish(topic, later);
      expect(await take(heard, 1)).toEqual([later]);
    });

    it('keeps topics apart', async () => {
      const heard = await events.subscribe(topic, ender.signal);
      const mine = happening();
      await events.publish('inbox', happening());
      await events.publish(`session:${newSessionId()}`, happening());
      await events.publish(topic, mine);
      expect(await take(heard, 1)).toEqual([mine]);
    });

    it('delivers to every subscriber', async () => {
      const subscribers = await Promise.all(Array.from({ length: 20 }, () => events.subscribe(topic, ender.signal)));
      const said = happening();
      await events.publish(topic, said);
      for (const heard of subscribers) expect(await take(heard, 1)).toEqual([said]);
    });

    it('loses and reorders nothing for a subscriber that is 5,000 happenings behind', async () => {
      const slow = await events.subscribe(topic, ender.signal);
      const quick = await events.subscribe(topic, ender.signal);
      const said = Array.from({ length: 5000 }, happening);
      await Promise.all(said.map((one) => events.publish(topic, one)));
      const heardSlowly: Heard[] = [];
      for await (const one of slow) {
        heardSlowly.push(one);
        if (heardSlowly.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        if (heardSlowly.length === said.length) break;
      }
      expect(heardSlowly).toEqual(said);
      expect(await take(quick, said.length)).toEqual(said);
    });

    it('tells a subscriber to resync that is further behind than it keeps, and goes on from there', async () => {
      const slow = await events.subscribe(topic, ender.signal);
      await Promise.all(Array.from({ length: 50_000 }, () => events.publish(topic, happening())));
      const last = happening();
      await events.publish(topic, last);
      const heard: Heard[] = [];
      for await (const one of slow) {
        heard.push(one);
        if (one === last) break;
      }
      expect(heard.length).toBeLessThan(20_000);
      expect(heard.filter(({ kind }) => kind === 'resync')).toHaveLength(1);
    });

    it('tells every live subscription to resync, on whatever topic, and in its place among what is published', async () => {
      const subscribers = await Promise.all([events.subscribe(topic, ender.signal), events.subscribe('inbox', ender.signal)]);
      const before = happening();
      for (const each of [topic, 'inbox'] as const) await events.publish(each, before);
      await events.resyncAll();
      for (const heard of subscribers) expect(await take(heard, 2)).toEqual([before, { kind: 'resync' }]);
    });

    it('is connected', () => {
      expect(events.isConnected()).toBe(true);
    });

    it('ends with the signal, also while the subscriber waits', async () => {
      const heard = await events.subscribe(topic, ender.signal);
      const rest = all(heard);
      ender.abort();
      expect(await rest).toEqual([]);
    });

    it('ends at once for a signal that was aborted before', async () => {
      ender.abort();
      expect(await all(await events.subscribe(topic, ender.signal))).toEqual([]);
    });

    it('is heard in other processes, in order, each happening once in each', async ({ skip }) => {
      const other = await under.openOther?.();
      if (!other) return skip('one process');
      const heard = await Promise.all([events, other].map((each) => each.subscribe(topic, ender.signal)));
      const said = Array.from({ length: 300 }, happening);
      for (const [index, one] of said.entries()) {
        const published = events.publish(topic, one);
        if (index % 7 === 0) await published; // some alone, some together
      }
      const last = happening();
      await events.publish(topic, last);
      await other.publish('inbox', happening());
      for (const each of heard) expect(await take(each, 301)).toEqual([...said, last]);
      await other.close();
    });

    it('tells the subscriptions of other processes to resync', async ({ skip }) => {
      const other = await under.openOther?.();
      if (!other) return skip('one process');
      const heard = await other.subscribe(topic, ender.signal);
      await events.resyncAll();
      expect(await take(heard, 1)).toEqual([{ kind: 'resync' }]);
      await other.close();
    });

    it('is live in another process as soon as its subscription is there', async ({ skip }) => {
      const { openOther } = under;
      if (!openOther) return skip('one process');
      for (let round = 0; round < 20; round += 1) {
        const other = await openOther();
        const heard = await other.subscribe(topic, ender.signal);
        const said = happening();
        await events.publish(topic, said);
        expect(await take(heard, 1)).toEqual([said]);
        await other.close();
      }
    });

    it('leaves nothing behind of 1,000 subscriptions that were aborted or left', async () => {
      const before = await under.liveCount();
      for (let round = 0; round < 1000; round += 1) {
        const own = new AbortController();
        const heard = await events.subscribe(topic, own.signal);
        await events.publish(topic, happening());
        if (round % 3 > 0) await take(heard, 1);
        if (round % 3 < 2) own.abort();
        expect(getEventListeners(own.signal, 'abort')).toHaveLength(0);
      }
      await settled();
      expect(await under.liveCount()).toBe(before);
    });
  });
}

type Heard = Happening | Resync;

function happening(): Happening {
  return { kind: 'elicitationRequested', sessionId: newSessionId(), elicitationId: newElicitationId() };
}

async function take(heard: AsyncIterable<Heard>, count: number): Promise<Heard[]> {
  const taken: Heard[] = [];
  for await (const one of heard) {
    taken.push(one);
    if (taken.length === count) break;
  }
  return taken;
}

async function all(heard: AsyncIterable<Heard>): Promise<Heard[]> {
  const taken: Heard[] = [];
  for await (const one of heard) taken.push(one);
  return taken;
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
