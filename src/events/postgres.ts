import { Client } from 'pg';
import type { Events } from '../gate/events.ts';
import { createEventsBetweenProcesses, type EventsWatch } from './between-processes.ts';
import { EventsFault } from './events-fault.ts';
import { patienceMilliseconds, type Line, type Listening } from './line.ts';

/** NOTIFY takes payloads below 8,000 bytes. */
const messageBytesMax = 7900;

/**
 * Events over LISTEN and NOTIFY, on one connection to the database that all servers share; one channel for each schema of it, so that
 * installations do not hear each other. `url`: `postgres://…`. Rejects with an `EventsFault`.
 */
export async function createPostgresEvents({ url, ...watch }: { readonly url: string } & EventsWatch): Promise<Events> {
  try {
    return await createEventsBetweenProcesses({ openLine: (on) => openLine(url, on), messageBytesMax, ...watch });
  } catch (error) {
    throw new EventsFault(`The database cannot be listened to for events: ${(error as Error).message}`);
  }
}

async function openLine(url: string, { heard, lost }: Listening): Promise<Line> {
  const client = new Client({
    connectionString: url,
    application_name: 'countersign events',
    connectionTimeoutMillis: patienceMilliseconds,
    query_timeout: patienceMilliseconds,
    keepAlive: true,
  });
  client.on('error', lost);
  client.on('end', () => lost(new Error('The database has closed the connection.')));
  client.on('notification', ({ payload }) => heard(payload ?? ''));
  const close = () => void client.end().catch(() => undefined);
  try {
    await client.connect();
    await client.query('set synchronous_commit = off'); // a notification is no row: nobody waits for a disk
    const channel = await channelOf(client);
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    return {
      async send(messages) {
        await client.query('select pg_notify($1, message) from unnest($2::text[]) as message', [channel, messages]);
      },
      async ping() {
        await client.query('select 1');
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Postgres cuts names at 63 bytes: a long one keeps what tells it apart. */
async function channelOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ channel: string }>(
    "select case when octet_length(current_schema()) < 50 then 'countersign:' || current_schema() else 'countersign:' || md5(current_schema()) end as channel",
  );
  return rows[0]?.channel ?? 'countersign';
}
