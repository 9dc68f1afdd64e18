import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newEvaluationId, newSessionId } from '../../src/entities/id.ts';
import type { Events, Happening, Resync } from '../../src/gate/events.ts';
import { startIdleProxy, type IdleProxy } from '../support/idle-proxy.ts';
import { createLogBook, type LogBook } from '../support/log-book.ts';

export interface Broker {
  port(): number;
  /** By way of a port of 127.0.0.1; default: the broker's own. */
  open(port?: number, log?: LogBook): Promise<Events>;
  /** What can happen to the broker itself. `end` omitted: it passes by itself. */
  readonly faults: Readonly<Record<string, { begin(): Promise<void>; end?(): Promise<void> }>>;
}

/** Detection takes at most this long, also where nobody closes anything. */
const detectedMilliseconds = 10_000;

/** What the port promises when what is between the processes fails. */
export function describeLostEvents(name: string, { port, open, faults }: Broker): void {
  describe(`lost events: ${name}`, () => {
    let proxy: IdleProxy;
    let ender: AbortController;
    const opened: Events[] = [];

    beforeEach(async () => {
      proxy = await startIdleProxy(port(), 3_600_000);
      ender = new AbortController();
    });
    afterEach(async () => {
      ender.abort();
      for (const events of opened.splice(0)) await events.close();
      await proxy.close();
    });

    async function connect(by?: number, log?: LogBook): Promise<{ events: Events; heard: (Happening | Resync)[] }> {
      const events = await open(by, log);
      opened.push(events);
      const heard: (Happening | Resync)[] = [];
      const heardNow = await events.subscribe('inbox', ender.signal);
      void (async () => {
        for await (const one of heardNow) heard.push(one);
      })();
      return { events, heard };
    }

    const network = {
      'the network cuts the connection': { begin: async () => proxy.cutAll() },
      'the network goes silent': { begin: async () => proxy.goSilent(), end: async () => proxy.speak() },
    };
    const all: Broker['faults'] = { ...network, ...faults };

    it.each(Object.keys(all))('%s: subscribers are told to resync when it is back, and hear again', async (fault) => {
      const log = createLogBook();
      const one = await connect(proxy.port, log);
      await all[fault]?.begin();
      await expect.poll(() => one.events.isConnected(), { timeout: detectedMilliseconds, interval: 5 }).toBe(false);
      await all[fault]?.end?.();
      await expect.poll(() => one.events.isConnected(), { timeout: 15_000 }).toBe(true);
      await expect.poll(() => one.heard).toEqual([{ kind: 'resync' }]);
      const other = await connect();
      const said = decided();
      await other.events.publish('inbox', said);
      await expect.poll(() => one.heard).toEqual([{ kind: 'resync' }, said]);
      expect(JSON.stringify(log.lines)).not.toMatch(/password|postgres:postgres|known to the tests/);
      expect(log.lines.map(({ message }) => message)).toEqual(expect.arrayContaining([expect.stringContaining('is lost'), expect.stringContaining('is back')]));
    }, 60_000);

    it('delivers to its own subscribers while the connection is down, and has the others resync afterwards', async () => {
      const [cut, other] = [await connect(proxy.port), await connect()];
      proxy.goSilent();
      await expect.poll(() => cut.events.isConnected(), { timeout: detectedMilliseconds }).toBe(false);
      const said = decided();
      await cut.events.publish('inbox', said);
      await expect.poll(() => cut.heard).toEqual([said]);
      expect(other.heard).toEqual([]);
      proxy.speak();
      await expect.poll(() => other.heard, { timeout: 15_000 }).toEqual([{ kind: 'resync' }]);
      await expect.poll(() => cut.heard).toEqual([said, { kind: 'resync' }]);
    }, 60_000);

    it('takes subscriptions while the connection is down, which resync when it is back', async () => {
      const { events } = await connect(proxy.port);
      proxy.goSilent();
      await expect.poll(() => events.isConnected(), { timeout: detectedMilliseconds }).toBe(false);
      const late = (await events.subscribe(`session:${newSessionId()}`, ender.signal))[Symbol.asyncIterator]();
      proxy.speak();
      expect(await late.next()).toEqual({ done: false, value: { kind: 'resync' } });
    }, 60_000);

    it('closes while the connection is down', async () => {
      const { events } = await connect(proxy.port);
      proxy.goSilent();
      await expect.poll(() => events.isConnected(), { timeout: detectedMilliseconds }).toBe(false);
      await events.close();
    }, 60_000);
  });
}

function decided(): Happening {
  return { kind: 'evaluationDecided', sessionId: newSessionId(), evaluationId: newEvaluationId() };
}
