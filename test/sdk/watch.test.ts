import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../src/sdk/index.ts';
import { startIdleProxy, type IdleProxy } from '../support/idle-proxy.ts';
import { eventually } from '../support/journey.ts';
import { startAskingSession, startWorld, type World } from './world.ts';

let world: World;
let proxy: IdleProxy;
let asker: Client;
let session: string;

beforeEach(async () => {
  world = await startWorld();
  proxy = await startIdleProxy(Number(new URL(world.server.url).port), 60_000);
  asker = world.connect();
  session = await startAskingSession(asker);
});

afterEach(async () => {
  await world.end();
  await proxy.close();
});

const ask = async (command: string, sessionId = session) => {
  const { elicitation } = await asker.evaluate({ sessionId, waitSeconds: 0, event: { toolCall: { name: 'Bash', arguments: { command } } } });
  return elicitation?.id ?? '';
};

describe.each(['auto', 'http'] as const)('a watch of elicitations (transport: %s)', (transport) => {
  /** Through the proxy. */
  const watcher = () => world.connect({ url: `http://127.0.0.1:${proxy.port}/graphql`, transport });

  it('shows what is pending, then each new one, none missed and none twice, however often its connection breaks', async () => {
    const shown: string[] = [];
    const interruptions: string[] = [];
    const asked = [await ask('before')];
    const client = watcher();
    const watching = (async () => {
      for await (const { id } of client.watchElicitations({ sessionId: session, onInterruption: ({ name }) => interruptions.push(name) })) shown.push(id);
    })();
    await eventually(() => shown.length === 1);
    for (let break_ = 1; break_ <= 3; break_ += 1) {
      asked.push(await ask(`with ${break_}`));
      await eventually(() => shown.length === asked.length);
      proxy.cutAll();
      asked.push(await ask(`without ${break_}`));
      await eventually(() => shown.length === asked.length);
    }
    expect(shown).toEqual(asked);
    expect(interruptions).toEqual(['UnreachableError', 'UnreachableError', 'UnreachableError']);
    client.close();
    await watching;
  });

  it('ends with its signal, and with `break`', async () => {
    await ask('one');
    const controller = new AbortController();
    const client = watcher();
    const first: string[] = [];
    const watching = (async () => {
      for await (const { status } of client.watchElicitations({ sessionId: session, signal: controller.signal })) first.push(status);
    })();
    await eventually(() => first.length === 1);
    controller.abort();
    await watching;
    for await (const { status } of client.watchElicitations()) {
      expect(status).toBe('PENDING');
      break;
    }
  });

  it('is refused where the session is unknown', async () => {
    const iterator = watcher().watchElicitations({ sessionId: 'ses_nowhere' });
    await expect(iterator.next()).rejects.toMatchObject({ name: 'RequestError', code: 'NOT_FOUND' });
  });
});

describe('a watch of resolutions', () => {
  it('tells what was decided, by whom, and with what words', async () => {
    const id = await ask('ls');
    const watch = asker.watchResolutions({ sessionId: session });
    const next = watch.next();
    await new Promise((resolve) => setTimeout(resolve, 500)); // it tells of what happens from now on, and now is when the server hears of it
    await asker.resolve({ elicitationId: id, action: 'DECLINE', comment: 'no' });
    expect(await next).toMatchObject({ value: { id, status: 'DECLINED', resolution: { comment: 'no', by: { kind: 'USER' } } } });
    await watch.return();
  });
});

describe('a watch of a session’s events', () => {
  it('tells everything once and in order, however often its connection breaks, and goes on behind a cursor', async () => {
    const seen: { cursor: string; type: string }[] = [];
    const watching = (async () => {
      for await (const event of world.connect({ url: `http://127.0.0.1:${proxy.port}/graphql` }).watchSessionEvents({ sessionId: session })) {
        seen.push(event);
        if (event.type === 'SESSION_ENDED') return;
      }
    })();
    const ids = [await ask('one')];
    await eventually(() => seen.length >= 3);
    proxy.cutAll();
    ids.push(await ask('two'));
    await asker.resolve({ elicitationId: ids[0] ?? '', action: 'ACCEPT' });
    await asker.endSession({ sessionId: session });
    await watching;
    const types = ['POLICY_CREATED', 'EVALUATION_JUDGED', 'ELICITATION_REQUESTED', 'EVALUATION_JUDGED', 'ELICITATION_REQUESTED', 'ELICITATION_RESOLVED'];
    expect(seen.slice(0, 6).map(({ type }) => type)).toEqual(types);
    expect(new Set(seen.map(({ cursor }) => cursor)).size).toBe(seen.length);
    const rest = asker.watchSessionEvents({ sessionId: session, after: seen[4]?.cursor ?? '' });
    expect(await rest.next()).toMatchObject({ value: { type: 'ELICITATION_RESOLVED', elicitation: { id: ids[0] } } });
    await rest.return();
  });
});
