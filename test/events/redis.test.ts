import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Events } from '../../src/gate/events.ts';
import { createRedisEvents } from '../../src/events/redis.ts';
import { describeEvents } from '../contracts/events.ts';
import { describeLostEvents } from '../contracts/lost-events.ts';
import { createLogBook } from '../support/log-book.ts';
import { hasRedis, redisPassword, startRedis, type TestRedis } from '../support/redis-server.ts';

describe.skipIf(!hasRedis())('Redis', () => {
  let redis: TestRedis;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  const open = (port?: number, log = createLogBook()): Promise<Events> => createRedisEvents({ url: redis.url(port), log });

  describeEvents('over Redis', async () => {
    const events = await open();
    return { events, liveCount: () => redis.listeners(), openOther: open, close: () => events.close() };
  });

  describeLostEvents('over Redis', {
    port: () => redis.port,
    open,
    faults: {
      'Redis is stopped and started again': { begin: () => redis.stop(), end: () => redis.start() },
      'Redis is there and says nothing': {
        begin: async () => redis.signal('SIGSTOP'),
        end: async () => redis.signal('SIGCONT'),
      },
    },
  });

  describe('events over Redis', () => {
    it.each([
      ['is not there', () => 'redis://:secret@127.0.0.1:1/0', /^Redis at 127\.0\.0\.1:1 cannot be used for events: .*ECONNREFUSED/],
      ['refuses the password', () => redis.url().replace(encodeURIComponent(redisPassword), 'secret'), /^Redis at 127\.0\.0\.1:\d+ cannot be used for events: .*(WRONGPASS|NOAUTH)/],
    ])('cannot begin where Redis %s, and say why without the password', async (_, url, why) => {
      const log = createLogBook();
      const refused = createRedisEvents({ url: url(), log });
      await expect(refused).rejects.toThrow(why);
      await expect(refused).rejects.not.toThrow(/secret/);
      expect(log.lines).toEqual([]);
    });

    it('leave nothing behind when they are closed', async () => {
      const events = await open();
      expect(await redis.listeners()).toBe(1);
      await events.close();
      await expect.poll(() => redis.listeners()).toBe(0);
    });
  });
});
