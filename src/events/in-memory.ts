import { setMaxListeners } from 'node:events';
import { createPubSub, type Repeater } from 'graphql-yoga';
import type { Events, Happening, Resync, Topic } from '../gate/events.ts';
import { Backlog } from './backlog.ts';

/** Events within this process. */
export function createInMemoryEvents(eventTarget = new EventTarget()): Events {
  setMaxListeners(0, eventTarget); // as many as there are subscribers
  const publisher = createPubSub<Topics>({ eventTarget });
  const live = new Map<Topic, number>();
  const count = (topic: Topic, change: 1 | -1) => {
    const left = (live.get(topic) ?? 0) + change;
    if (left > 0) live.set(topic, left);
    else live.delete(topic);
  };

  return {
    async publish(topic, happening) {
      publisher.publish(topic, happening);
    },

    async subscribe(topic, signal) {
      // One for each subscriber, because a pub/sub shares its buffer among all of its subscribers.
      const repeater = createPubSub<Topics>({ eventTarget, repeaterBuffer: new Backlog<Happening | Resync>(resync) }).subscribe(topic);
      count(topic, 1);
      return follow(repeater, signal, () => count(topic, -1));
    },

    async resyncAll() {
      for (const topic of live.keys()) publisher.publish(topic, resync);
    },

    isConnected: () => true,

    async close() {
      // Subscriptions end with their signals.
    },
  };
}

const resync: Resync = { kind: 'resync' };

type Topics = Record<Topic, [Happening | Resync]>;

function follow<Value>(repeater: Repeater<Value>, signal: AbortSignal, onEnd: () => void): AsyncIterable<Value> {
  let isLive = true;
  const end = () => {
    if (isLive) onEnd();
    isLive = false;
    return repeater.return();
  };
  const abort = () => void end();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });

  // A pub/sub listens from the first `next` on only: it is asked now, and the answer kept for whoever iterates.
  let first: Promise<IteratorResult<Value>> | null = repeater.next();
  const iterator: AsyncIterator<Value> = {
    next() {
      const result = first ?? repeater.next();
      first = null;
      return result;
    },
    async return() {
      signal.removeEventListener('abort', abort);
      await end();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
