import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Orm } from '../../src/entities/backend.ts';
import { newSessionId } from '../../src/entities/id.ts';
import type { Tables } from '../../src/entities/rows.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { postgresDialect } from '../../src/entities/postgres/dialect.ts';
import { createInMemoryEvents } from '../../src/events/in-memory.ts';
import { takeServerLease } from '../../src/gate/server-lease.ts';
import { adoptRestored, eventsAfter, headOf } from '../../src/gate/session-event-rows.ts';
import { createLogBook } from '../support/log-book.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

let own: TestDatabase;
let orm: Orm;

beforeAll(async () => {
  own = await createDatabase();
  orm = await openDatabase(own.url);
});
const query = <Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> => orm.em.fork().getConnection().execute<Row[]>(sql, [...values]);

afterAll(async () => {
  await orm.close();
  await own.remove();
});

it('no reader of session events passes one whose transaction commits later, though its position is lower', async () => {
  const sessionId = newSessionId();
  const kysely = orm.em.getKysely<Tables>();
  const insert = (subject: string, on: Kysely<Tables>) => on.insertInto('session_event').values({ session_id: sessionId, type: 'SESSION_UPDATED', subject, at: 1 }).execute();
  const database = () => ({ em: orm.em.fork(), dialect: postgresDialect });
  const read = async (place: Awaited<ReturnType<typeof headOf>>) => (await eventsAfter(database(), place, { sessionId, limit: 10 })).map(({ subject }) => subject);
  const start = await headOf(database());

  const slow = await kysely.startTransaction().execute();
  await insert('slow', slow);
  await insert('quick', kysely);
  const between = await headOf(database());
  expect(await read(start)).toEqual([]);
  await slow.commit().execute();
  expect(await read(start)).toEqual(['slow', 'quick']);
  expect(await read(between)).toEqual(['slow', 'quick']);
  expect(await read(await headOf(database()))).toEqual([]);
});

it('what was restored from a database whose transactions were numbered higher is read, before what happens since', async () => {
  const sessionId = newSessionId();
  const database = () => ({ em: orm.em.fork(), dialect: postgresDialect });
  const insert = (subject: string, transactionId: string) => query(`insert into session_event (transaction_id, session_id, type, subject, at) values (${transactionId}, ?, 'SESSION_UPDATED', ?, 1)`, [sessionId, subject]);
  await insert('restored', '900000000');
  await adoptRestored(database());
  await insert('since', 'default');
  expect((await eventsAfter(database(), { transactionId: 0, position: 0 }, { sessionId, limit: 10 })).map(({ subject }) => subject)).toEqual(['restored', 'since']);
});

it('a server that is silent for longer than its lease is forgotten by the clock of the database, whatever those of the servers say', async () => {
  const wrongClock = () => new Date(0);
  const parts = { dialect: postgresDialect, events: createInMemoryEvents(), now: wrongClock, waiting: { isHeld: () => false }, settings: { graceSeconds: 60, leaseSeconds: 15 }, isShared: true };
  const take = (log = createLogBook()) => takeServerLease({ ...parts, em: orm.em, log });
  const [one, two] = [await take(), await take()];
  const servers = async () => (await query<{ id: string }>('select id from server order by id')).map(({ id }) => id);
  await two.beat();
  expect(await servers()).toEqual([one.id, two.id].toSorted());
  await query('update server set seen_at = seen_at - 16000 where id = ?', [one.id]);
  await Promise.all([two.beat(), two.beat()]);
  expect(await servers()).toEqual([two.id]);
  await one.beat();
  expect(await servers()).toEqual([one.id, two.id].toSorted());
  await one.release();
  await two.release();
  expect(await servers()).toEqual([]);
});
