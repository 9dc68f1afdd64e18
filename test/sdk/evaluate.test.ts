import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ClosedError, DeadlineError, RefusedError, type Client, type Evaluation } from '../../src/sdk/index.ts';
import { run } from '../docs/program.ts';
import { asksOf, nextAsk, startAskingSession, startWorld, type World } from './world.ts';

let world: World;
let client: Client;
let session: string;

beforeAll(async () => {
  world = await startWorld();
  client = world.connect();
});

beforeEach(async () => {
  session = await startAskingSession(client);
});

afterAll(() => world.end());

const bash = (command = 'ls') => ({ sessionId: session, event: { toolCall: { name: 'Bash', arguments: { command } } } });

describe('an evaluation', () => {
  it('resolves to a decided verdict, ALLOW and DENY alike', async () => {
    const deciding = client.evaluate(bash());
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'DECLINE', comment: 'no' });
    expect(await deciding).toMatchObject({ verdict: 'DENY', status: 'DECIDED', decidedBy: 'PERSON', reason: 'no' });
    expect(await client.evaluate({ sessionId: session, event: { request: { content: 'hello' } } })).toMatchObject({ verdict: 'ALLOW', decidedBy: 'POLICY' });
  });

  it('resolves to the evaluation as it stands after `waitSeconds`, and is taken up again by its key', async () => {
    const ticket = await client.evaluate({ ...bash(), waitSeconds: 0, idempotencyKey: 'toolu_1' });
    expect(ticket).toMatchObject({ verdict: 'ASK', status: 'AWAITING_APPROVAL', elicitation: { url: expect.any(String) } });
    const taken = client.evaluate({ ...bash(), idempotencyKey: 'toolu_1' });
    await client.resolve({ elicitationId: ticket.elicitation?.id ?? '', action: 'ACCEPT' });
    expect(await taken).toMatchObject({ id: ticket.id, verdict: 'ALLOW' });
  });

  it('tells once what is pending, also across tickets, and nothing where nobody is asked', async () => {
    const pending: Evaluation[] = [];
    const deciding = client.evaluate(bash(), { onPending: (evaluation) => pending.push(evaluation) });
    const { id } = await nextAsk(client, session);
    await client.resolve({ elicitationId: id, action: 'ACCEPT' });
    expect(await deciding).toMatchObject({ verdict: 'ALLOW' });
    expect(pending).toMatchObject([{ verdict: 'ASK', elicitation: { id, status: 'PENDING', message: 'os tools: The agent wants to use Bash: ls', expiresAt: expect.any(String) } }]);
    expect(await asksOf(client, session)).toHaveLength(1);

    await client.evaluate({ sessionId: session, event: { request: { content: 'hello' } } }, { onPending: (evaluation) => pending.push(evaluation) });
    expect(pending).toHaveLength(1);
  });

  it('that is refused rejects with the error type of the contract', async () => {
    const refused = client.evaluate({ ...bash(), sessionId: 'ses_nowhere' });
    await expect(refused).rejects.toBeInstanceOf(RefusedError);
    await expect(refused).rejects.toMatchObject({ result: { __typename: 'NotFoundError', id: 'ses_nowhere' } });
  });
});

describe('giving up', () => {
  it('by a signal withdraws the call, and rejects with the signal’s reason', async () => {
    const controller = new AbortController();
    const deciding = client.evaluate(bash(), { signal: controller.signal });
    const { id } = await nextAsk(client, session);
    const reason = new Error('The user pressed escape.');
    controller.abort(reason);
    await expect(deciding).rejects.toBe(reason);
    expect(await client.elicitation({ id })).toMatchObject({ status: 'CANCELLED' });
  });

  it('before anything was sent sends nothing', async () => {
    await expect(client.evaluate(bash(), { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(await asksOf(client, session)).toEqual([]);
  });

  it('after a deadline withdraws the call, and says what was pending', async () => {
    const error = await client.evaluate(bash(), { deadlineSeconds: 0.5 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DeadlineError);
    const [asked] = await asksOf(client, session);
    expect(asked).toMatchObject({ status: 'CANCELLED' });
    expect(error).toMatchObject({ evaluation: { status: 'ABANDONED', elicitation: { id: asked?.id } } });
  });

  it('after a deadline is an undecided denial to a gated tool, with the id of what was pending', async () => {
    const denial = client.gate(() => 1, { session, name: 'Bash', deadlineSeconds: 0.5 })({ command: 'ls' });
    await expect(denial).rejects.toMatchObject({ name: 'UndecidedError', reason: expect.stringContaining('Nobody decided within 0.5 s'), elicitationId: expect.stringMatching(/^elc_/) });
  });

  it('also ends the wait for a session that no server creates', async () => {
    const away = world.connect({ url: 'http://127.0.0.1:9/graphql' });
    const startedAt = performance.now();
    await expect(away.gate(() => 1, { session: { agent: 'a' }, name: 'tool', deadlineSeconds: 0.3 })({})).rejects.toMatchObject({ name: 'UndecidedError', cause: { name: 'UnreachableError' } });
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  it('does not lose an answer that comes at the same moment', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const own = await startAskingSession(client);
        const deciding = client.evaluate({ ...bash(), sessionId: own }, { deadlineSeconds: 0.6 }).then(
          ({ verdict }) => verdict,
          (error: unknown) => (error as DeadlineError).evaluation?.status,
        );
        const { id } = await nextAsk(client, own);
        await new Promise((resolve) => setTimeout(resolve, 300 + index * 40));
        const accepted = await client.resolve({ elicitationId: id, action: 'ACCEPT' }).then(
          () => true,
          () => false,
        );
        return [await deciding, accepted];
      }),
    );
    for (const verdict of verdicts) expect([['ALLOW', true], ['ABANDONED', false]]).toContainEqual(verdict);
  });
});

describe('a client that is closed', () => {
  it('rejects what is under way, withdraws nothing, and leaves it to be taken up again', async () => {
    for (const transport of ['auto', 'http'] as const) {
      const closing = world.connect({ transport });
      const deciding = closing.evaluate({ ...bash(), idempotencyKey: transport });
      const rejected = expect(deciding).rejects.toBeInstanceOf(ClosedError);
      const watching = (async () => {
        for await (const { status } of closing.watchElicitations({ sessionId: session })) expect(status).toBe('PENDING');
        return 'ended';
      })();
      const { id } = await nextAsk(client, session);
      closing.close();
      await rejected;
      expect(await watching).toBe('ended');
      await expect(closing.viewer()).rejects.toBeInstanceOf(ClosedError);
      const taken = client.evaluate({ ...bash(), idempotencyKey: transport });
      await client.resolve({ elicitationId: id, action: 'ACCEPT' });
      expect(await taken).toMatchObject({ verdict: 'ALLOW' });
    }
  });

  it('lets its process end by itself', { timeout: 20_000 }, async () => {
    const program = `
      import { createClient } from ${JSON.stringify(new URL('../../src/sdk/index.ts', import.meta.url).href)};
      const client = createClient({ url: ${JSON.stringify(world.server.url)} });
      console.log((await client.evaluate({ sessionId: ${JSON.stringify(session)}, event: { request: { content: 'hello' } } })).verdict);
    `;
    const ended = run(process.execPath, ['--input-type=module', '--eval', program], { cwd: '/tmp' });
    expect(await ended.exit, ended.output).toBe(0);
    expect(ended.output).toBe('ALLOW\n');
  });
});
