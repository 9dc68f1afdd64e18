import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type Client, type ClientOptions } from '../../src/sdk/index.ts';
import { prepareProgram, type Program } from '../crash/program.ts';
import { startIdleProxy } from '../support/idle-proxy.ts';
import { asksOf, nextAsk, startAskingSession, startWorld } from './world.ts';

const transports: NonNullable<ClientOptions['transport']>[] = ['auto', 'http'];
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a server that is killed and starts again', () => {
  const clients: Client[] = [];
  const connect = (url: string, options: Partial<ClientOptions> = {}) => {
    const client = createClient({ url, ...options });
    clients.push(client);
    return client;
  };

  async function startProgram(): Promise<Program> {
    const folder = await mkdtemp(path.join(tmpdir(), 'countersign-sdk-'));
    const program = await prepareProgram(`sqlite:${path.join(folder, 'countersign.db')}`);
    onTestFinished(async () => {
      await program.remove();
      await rm(folder, { recursive: true });
    });
    await program.start();
    return program;
  }

  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });

  it.each(transports)('asks nobody twice, and the tool runs once when it is accepted (transport: %s)', { timeout: 60_000 }, async (transport) => {
    const program = await startProgram();
    const agent = connect(program.url, { transport });
    const approver = connect(program.url);
    const session = await startAskingSession(approver);
    let runs = 0;
    const result = agent.gate(() => (runs += 1), { session, name: 'Bash' })({ command: 'ls' });
    const { id } = await nextAsk(approver, session);
    await program.kill();
    await pause(500);
    await program.start();
    await approver.resolve({ elicitationId: id, action: 'ACCEPT' });
    await expect(result).resolves.toBe(1);
    expect(runs).toBe(1);
    expect(await asksOf(approver, session)).toMatchObject([{ id }]);
  });

  it('ends each of 100 waits across five restarts with its own verdict, after one question each', { timeout: 180_000 }, async () => {
    const program = await startProgram();
    const approver = connect(program.url);
    const session = await startAskingSession(approver);
    const agents = Array.from({ length: 4 }, (_, index) => connect(program.url, { transport: index === 3 ? 'http' : 'auto' }));
    const ran: string[] = [];
    const waits = Array.from({ length: 100 }, (_, index) => {
      const command = `echo ${index}`;
      const agent = agents[index % agents.length] ?? approver;
      const gated = agent.gate((args: { command: string }) => void ran.push(args.command), { session, name: 'Bash' });
      const verdict = gated({ command }).then(
        () => 'ran',
        (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
      );
      return { command, verdict, wanted: index % 3 === 0 ? 'DeniedError: no' : 'ran' };
    });
    const wantedOf = new Map(waits.map(({ command, wanted }) => [command, wanted]));

    const seen: string[] = [];
    const answers: Promise<unknown>[] = [];
    const watching = (async () => {
      for await (const { id, event } of approver.watchElicitations({ sessionId: session })) {
        const { command } = (event as { data: { arguments: { command: string } } }).data.arguments;
        seen.push(command);
        // They answer all the while, also when no server is there to hear it.
        const answer = async () => {
          await pause(Math.random() * 15_000);
          await approver.resolve(wantedOf.get(command) === 'ran' ? { elicitationId: id, action: 'ACCEPT' } : { elicitationId: id, action: 'DECLINE', comment: 'no' });
        };
        answers.push(answer());
        if (seen.length === waits.length) return;
      }
    })();

    for (let restart = 0; restart < 5; restart += 1) {
      await pause(1500);
      if (restart % 2 === 0) await program.kill();
      else await program.terminate();
      await pause(300);
      await program.start();
    }
    await watching;
    await Promise.all(answers);
    expect(await Promise.all(waits.map(({ verdict }) => verdict))).toEqual(waits.map(({ wanted }) => wanted));
    expect(ran.toSorted()).toEqual(waits.filter(({ wanted }) => wanted === 'ran').map(({ command }) => command).toSorted());
    expect(seen.toSorted()).toEqual(waits.map(({ command }) => command).toSorted());
    expect((await asksOf(approver, session)).length).toBe(100);
  });
});

describe('a proxy that cuts what is silent for two seconds', () => {
  it.each(transports)('keeps nobody from waiting, nor from being asked once (transport: %s)', async (transport) => {
    const world = await startWorld();
    const proxy = await startIdleProxy(Number(new URL(world.server.url).port), 2000);
    onTestFinished(async () => {
      await world.end();
      await proxy.close();
    });
    // Of patience it has less than the wait lasts: that the server is there shows by other calls.
    const agent = world.connect({ url: `http://127.0.0.1:${proxy.port}/graphql`, transport, patienceSeconds: 3 });
    const approver = world.connect();
    const session = await startAskingSession(approver);
    const result = agent.gate(() => 'ran', { session, name: 'Bash' })({ command: 'ls' });
    const { id } = await nextAsk(approver, session);
    await pause(9000);
    expect(proxy.cut()).toBeGreaterThanOrEqual(3);
    await approver.resolve({ elicitationId: id, action: 'ACCEPT' });
    await expect(result).resolves.toBe('ran');
    expect(await asksOf(approver, session)).toHaveLength(1);
  });
});

describe('a network that loses everything and tells nobody', () => {
  it('is noticed: the call is taken up again over a new connection', { timeout: 60_000 }, async () => {
    const world = await startWorld();
    const proxy = await startIdleProxy(Number(new URL(world.server.url).port), 600_000);
    onTestFinished(async () => {
      await world.end();
      await proxy.close();
    });
    const agent = world.connect({ url: `http://127.0.0.1:${proxy.port}/graphql` });
    const approver = world.connect();
    const session = await startAskingSession(approver);
    const result = agent.gate(() => 'ran', { session, name: 'Bash' })({ command: 'ls' });
    const { id } = await nextAsk(approver, session);
    proxy.goSilent();
    await approver.resolve({ elicitationId: id, action: 'ACCEPT' });
    setTimeout(() => proxy.stopLosing(), 15_000);
    await expect(result).resolves.toBe('ran');
    expect(await asksOf(approver, session)).toHaveLength(1);
  });
});
