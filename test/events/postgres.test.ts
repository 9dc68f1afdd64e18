import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newEvaluationId, newSessionId } from '../../src/entities/id.ts';
import type { Events } from '../../src/gate/events.ts';
import { createPostgresEvents } from '../../src/events/postgres.ts';
import { describeEvents } from '../contracts/events.ts';
import { describeLostEvents } from '../contracts/lost-events.ts';
import { startPostgres, type TestPostgres } from '../support/embedded-postgres.ts';
import { createLogBook } from '../support/log-book.ts';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres.stop());

const open = (port?: number, log = createLogBook()): Promise<Events> => createPostgresEvents({ url: postgres.url(port), log });

describeEvents('over Postgres', async () => {
  const events = await open();
  return { events, liveCount: connections, openOther: open, close: () => events.close() };
});

describeLostEvents('over Postgres', {
  port: () => postgres.port,
  open,
  faults: {
    'the backend that listens is terminated': {
      async begin() {
        await postgres.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign events'");
      },
    },
  },
});

describe('events over Postgres', () => {
  it('take one connection, whatever listens, and give it back', async () => {
    const before = await connections();
    const events = await open();
    const ender = new AbortController();
    for (let count = 0; count < 50; count += 1) await events.subscribe('inbox', ender.signal);
    expect(await connections()).toBe(before + 1);
    ender.abort();
    await events.close();
    await expect.poll(connections).toBe(before);
  });

  it('tell how long each message is under way to the other servers, also after the line was lost', async () => {
    const lags: number[] = [];
    const events = await createPostgresEvents({ url: postgres.url(), log: createLogBook(), onLag: (seconds) => lags.push(seconds) });
    const publish = () => events.publish('inbox', { kind: 'evaluationDecided', sessionId: newSessionId(), evaluationId: newEvaluationId() });
    await publish();
    await expect.poll(() => lags.length).toBe(1);
    await postgres.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign events'");
    await expect.poll(() => events.isConnected(), { interval: 1 }).toBe(false);
    await publish(); // nobody can hear it: the others are told to resync instead
    await expect.poll(() => events.isConnected(), { timeout: 10_000 }).toBe(true);
    await publish();
    await expect.poll(() => lags.length).toBeGreaterThanOrEqual(2);
    expect(lags.every((seconds) => seconds > 0 && seconds < 5)).toBe(true);
    await events.close();
  });

  it('cannot begin without the database, and say why without the password', async () => {
    const refused = createPostgresEvents({ url: 'postgres://postgres:secret@127.0.0.1:1/postgres', log: createLogBook() });
    await expect(refused).rejects.toThrow(/^The database cannot be listened to for events: .*ECONNREFUSED/);
    await expect(refused).rejects.not.toThrow(/secret/);
  });
});

async function connections(): Promise<number> {
  const rows = await postgres.query<{ count: number }>("select count(*)::int as count from pg_stat_activity where application_name = 'countersign events'");
  return rows[0]?.count ?? 0;
}
