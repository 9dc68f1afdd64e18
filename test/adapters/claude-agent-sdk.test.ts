import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canUseTool } from '../../src/adapters/claude-agent-sdk.ts';
import type { Client } from '../../src/sdk/index.ts';
import { asksOf, nextAsk, startAskingSession, startWorld, type World } from '../sdk/world.ts';

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

// What the host hands over with a call, as of its version 0.3.334.
const details = (signal = new AbortController().signal) => ({ signal, toolUseID: 'toolu_1', requestId: 'req_1', suggestions: [], decisionReason: 'Bash may change files.' });

describe('canUseTool of the Claude Agent SDK', () => {
  it('allows a call once a person accepts, with the arguments that they made of it', async () => {
    const answer = canUseTool({ client, session })('Bash', { command: 'rm -rf build' }, details());
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'ACCEPT', editedArguments: { command: 'rm -rf build/tmp' } });
    expect(await answer).toEqual({ behavior: 'allow', updatedInput: { command: 'rm -rf build/tmp' } });
  });

  it('denies what a person declines, in their words', async () => {
    const answer = canUseTool({ client, session })('Bash', { command: 'ls' }, details());
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'DECLINE', comment: 'Not on this machine.' });
    expect(await answer).toEqual({ behavior: 'deny', message: 'Not on this machine.' });
  });

  it('asks once for a call that the host asks about twice', async () => {
    const gate = canUseTool({ client, session });
    const answers = Promise.all([gate('Bash', { command: 'ls' }, details()), gate('Bash', { command: 'ls' }, details())]);
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'ACCEPT' });
    expect(await answers).toEqual([1, 2].map(() => ({ behavior: 'allow', updatedInput: { command: 'ls' } })));
    expect(await asksOf(client, session)).toHaveLength(1);
  });

  it('withdraws the question, and denies, when the host wants no answer any more', async () => {
    const controller = new AbortController();
    const answer = canUseTool({ client, session })('Bash', { command: 'ls' }, details(controller.signal));
    const { id } = await nextAsk(client, session);
    controller.abort();
    expect(await answer).toMatchObject({ behavior: 'deny' });
    expect(await client.elicitation({ id })).toMatchObject({ status: 'CANCELLED' });
  });

  it('denies what no server judges', async () => {
    const away = world.connect({ url: 'http://127.0.0.1:9/graphql', patienceSeconds: 0 });
    expect(await canUseTool({ client: away, session })('Bash', { command: 'ls' }, details())).toMatchObject({ behavior: 'deny', message: expect.stringContaining('nobody could decide') });
  });
});
