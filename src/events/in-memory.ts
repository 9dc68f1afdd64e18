import { setMaxListeners } from 'node:events';
import { createPubSub, type Repeater } from 'graphql-yoga';
import type { Events, Happening, Topic } from '../gate/events.ts';
import { Backlog } from './backlog.ts';

/** Events within this process. */
export function createInMemoryEvents(eventTarget = new EventTarget()): Events {
  setMaxListeners(0, eventTarget); // as many as there are subscribers
  const publisher = createPubSub<Topics>({ eventTarget });

  return {
    async publish(topic, happening) {
      publisher.publish(topic, happening);
    },

    async subscribe(topic, signal) {
      // One for each subscriber, because a pub/sub shares its buffer among all of its subscribers.
      const repeater = createPubSub<Topics>({ eventTarget, repeaterBuffer: new Backlog<Happening>() }).subscribe(topic);
      return follow(repeater, signal);
    },
  };
}

type Topics = Record<Topic, [Happening]>;

function follow(repeater: Repeater<Happening>, signal: AbortSignal): AsyncIterable<Happening> {
  const end = () => void repeater.return();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });

  // A pub/sub listens from the first `next` on only: it is asked now, and the answer kept for whoever iterates.
  let first: Promise<IteratorResult<Happening>> | null = repeater.next();
  const iterator: AsyncIterator<Happening> = {
    next() {
      const result = first ?? repeater.next();
      first = null;
      return result;
    },
    async return() {
      signal.removeEventListener('abort', end);
      await repeater.return();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
