import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newElicitationId, newSessionId } from '../../src/entities/id.ts';
import type { Events, Happening, Topic } from '../../src/gate/events.ts';

export interface EventsUnderTest {
  readonly events: Events;
  /** How many subscriptions are live underneath. */
  liveCount(): number | Promise<number>;
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

    it('loses and reorders nothing for a slow subscriber', async () => {
      const slow = await events.subscribe(topic, ender.signal);
      const quick = await events.subscribe(topic, ender.signal);
      const said = Array.from({ length: 5000 }, happening);
      await Promise.all(said.map((one) => events.publish(topic, one)));
      const heardSlowly: Happening[] = [];
      for await (const one of slow) {
        heardSlowly.push(one);
        if (heardSlowly.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        if (heardSlowly.length === said.length) break;
      }
      expect(heardSlowly).toEqual(said);
      expect(await take(quick, said.length)).toEqual(said);
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

function happening(): Happening {
  return { kind: 'elicitationRequested', sessionId: newSessionId(), elicitationId: newElicitationId() };
}

async function take(heard: AsyncIterable<Happening>, count: number): Promise<Happening[]> {
  const taken: Happening[] = [];
  for await (const one of heard) {
    taken.push(one);
    if (taken.length === count) break;
  }
  return taken;
}

async function all(heard: AsyncIterable<Happening>): Promise<Happening[]> {
  const taken: Happening[] = [];
  for await (const one of heard) taken.push(one);
  return taken;
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
