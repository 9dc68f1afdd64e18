import { Redis } from 'ioredis';
import type { Events } from '../gate/events.ts';
import { createEventsBetweenProcesses, type EventsWatch } from './between-processes.ts';
import { EventsFault } from './events-fault.ts';
import { patienceMilliseconds, type Line, type Listening } from './line.ts';

/** Redis takes far more; a message is read as a whole. */
const messageBytesMax = 65_536;

/**
 * Events over Redis, on two connections (one that listens can do nothing else) and one channel for each database number, so that
 * installations on one Redis do not hear each other. `url`: `redis://…`, or `rediss://…` for TLS. Rejects with an `EventsFault`.
 */
export async function createRedisEvents({ url, ...watch }: { readonly url: string } & EventsWatch): Promise<Events> {
  try {
    return await createEventsBetweenProcesses({ openLine: (on) => openLine(url, on), messageBytesMax, ...watch });
  } catch (error) {
    const { host } = new URL(url);
    throw new EventsFault(`Redis at ${host} cannot be used for events: ${(error as Error).message}. Check redisUrl, or leave it out.`);
  }
}

async function openLine(url: string, { heard, lost }: Listening): Promise<Line> {
  const open = () =>
    new Redis(url, {
      lazyConnect: true,
      connectTimeout: patienceMilliseconds,
      commandTimeout: patienceMilliseconds,
      enableOfflineQueue: false,
      retryStrategy: null, // the line is opened anew as a whole
      maxRetriesPerRequest: 0,
      keepAlive: 5000,
      connectionName: 'countersign-events',
    });
  const publisher = open();
  const listener = open();
  const both = [publisher, listener];
  let reason = new Error('Redis has closed the connection.');
  for (const redis of both) {
    redis.on('error', (error: Error) => {
      reason = error;
    });
    redis.on('end', () => lost(reason));
  }
  const close = () => {
    for (const redis of both) redis.disconnect();
  };
  try {
    await Promise.all(both.map((redis) => within(patienceMilliseconds, redis.connect())));
    const channel = `countersign:${publisher.options.db ?? 0}`;
    listener.on('message', (_channel: string, message: string) => heard(message));
    await listener.subscribe(channel); // confirmed: from here on all is heard
    return {
      async send(messages) {
        await Promise.all(messages.map((message) => publisher.publish(channel, message)));
      },
      async ping() {
        await Promise.all(both.map((redis) => redis.ping()));
      },
      close,
    };
  } catch (error) {
    close();
    throw reason.message === 'Redis has closed the connection.' ? error : reason;
  }
}

/** A peer that takes the connection and says nothing is given up, too. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const patience = Promise.withResolvers<never>();
  const timer = setTimeout(() => patience.reject(new Error('It does not answer.')), milliseconds);
  try {
    await Promise.race([work, patience.promise]);
  } finally {
    clearTimeout(timer);
  }
}
