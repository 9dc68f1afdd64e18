import type { Events } from '../gate/events.ts';
import type { EventsWatch } from './between-processes.ts';
import { createInMemoryEvents } from './in-memory.ts';

/**
 * The events of a server: over Redis where one is given, else over the database where several servers may share it, else within this
 * process. Only the driver that is used is loaded. Rejects with an `EventsFault`.
 */
export async function openEvents({ database, redisUrl }: { readonly database: string; readonly redisUrl: string | null }, watch: EventsWatch): Promise<Events> {
  if (redisUrl !== null) return (await import('./redis.ts')).createRedisEvents({ url: redisUrl, ...watch });
  if (!database.startsWith('sqlite:')) return (await import('./postgres.ts')).createPostgresEvents({ url: database, ...watch });
  return createInMemoryEvents();
}
