import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, FakeToolCallingModel, tool } from 'langchain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gateMiddleware, type GateMiddlewareOptions } from '../../src/adapters/langchain.ts';
import type { Client } from '../../src/sdk/index.ts';
import { asksOf, nextAsk, startAskingSession, startWorld, type World } from '../sdk/world.ts';

let world: World;
let client: Client;
let session: string;
let ran: string[];

beforeAll(async () => {
  world = await startWorld();
  client = world.connect();
});

beforeEach(async () => {
  session = await startAskingSession(client);
  ran = [];
});

afterAll(() => world.end());

const memory = new MemorySaver();

function agentThatCalls(name: string, args: object, { id = 'call_1', ...options }: Partial<GateMiddlewareOptions> & { readonly id?: string | null } = {}) {
  const called = tool(
    async ({ command }) => {
      ran.push(command);
      return `ran ${command}`;
    },
    { name, description: 'A tool.', schema: z.object({ command: z.string() }) },
  );
  const call = { ...(id === null ? {} : { id }), name, args } as { id: string; name: string; args: object }; // real models leave it out
  return createAgent({
    model: new FakeToolCallingModel({ toolCalls: [[call], []] }),
    tools: [called],
    middleware: [gateMiddleware({ client, session, ...options })],
    checkpointer: memory,
  });
}

let threads = 0;
const thread = () => ({ configurable: { thread_id: `thread ${(threads += 1)}` } });
const told = ({ messages }: { messages: readonly { type: string; content: unknown }[] }) => messages.find(({ type }) => type === 'tool')?.content;
const go = { messages: [{ role: 'user', content: 'go' }] };

describe('the middleware of LangChain', () => {
  it('lets a call run once a person accepts, with the arguments that they made of it', async () => {
    const result = agentThatCalls('Bash', { command: 'rm -rf build' }).invoke(go, thread());
    const { id } = await nextAsk(client, session);
    expect(ran).toEqual([]);
    await client.resolve({ elicitationId: id, action: 'ACCEPT', editedArguments: { command: 'rm -rf build/tmp' } });
    expect(told(await result)).toBe('ran rm -rf build/tmp');
    expect(ran).toEqual(['rm -rf build/tmp']);
    expect(await asksOf(client, session)).toHaveLength(1);
  });

  it('does not run what a person declines, and tells the model why', async () => {
    const result = agentThatCalls('Bash', { command: 'ls' }).invoke(go, thread());
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'DECLINE', comment: 'Not on this machine.' });
    expect(told(await result)).toBe('Not on this machine.');
    expect(ran).toEqual([]);
  });

  it('keeps a result from the model that is denied', async () => {
    await client.createPolicy({ target: { sessionId: session }, name: 'no results', handler: 'safety.fixed_action', params: { action: 'DENY', reason: 'Secret.' }, on: [{ phase: 'TOOL_RESULT' }] });
    expect(told(await agentThatCalls('greet', { command: 'hello' }).invoke(go, thread()))).toBe('Secret.');
    expect(ran).toEqual(['hello']);
  });

  it('does not run a call that no server judges', async () => {
    const away = world.connect({ url: 'http://127.0.0.1:9/graphql', patienceSeconds: 0 });
    expect(told(await agentThatCalls('greet', { command: 'hello' }, { client: away }).invoke(go, thread()))).toContain('nobody could decide');
    expect(ran).toEqual([]);
  });

  it('creates one session for all tools of the run', async () => {
    const agent = agentThatCalls('greet', { command: 'hello' }, { session: { agent: 'langchain' } });
    expect(told(await agent.invoke(go, thread()))).toBe('ran hello');
    const { edges } = await client.agents({ first: 100 });
    const agentId = edges.find(({ node }) => node.name === 'langchain')?.node.id ?? 'nobody';
    expect((await client.sessions({ filter: { agentId } })).edges).toHaveLength(1);
  });
});

describe('the middleware of LangChain that interrupts', () => {
  it('asks nobody about a call without an id, which could not be taken up again', async () => {
    expect(told(await agentThatCalls('Bash', { command: 'ls' }, { interrupts: true, id: null }).invoke(go, thread()))).toContain('the call has no id');
    expect(await asksOf(client, session)).toHaveLength(0);
    expect(ran).toEqual([]);
  });

  it('interrupts the graph where a person is asked; another process resumes it with their answer', async () => {
    const config = thread();
    const interrupted = await agentThatCalls('Bash', { command: 'ls' }, { interrupts: true }).invoke(go, config);
    const { id } = await nextAsk(client, session);
    expect(interrupted).toMatchObject({ __interrupt__: [{ value: { elicitationId: id, reason: expect.stringContaining('os tools') } }] });
    await client.resolve({ elicitationId: id, action: 'ACCEPT' });
    const result = await agentThatCalls('Bash', { command: 'ls' }, { interrupts: true, client: world.connect() }).invoke(new Command({ resume: true }), config);
    expect(told(result)).toBe('ran ls');
    expect(ran).toEqual(['ls']);
    expect(await asksOf(client, session)).toHaveLength(1);
  });

  it('decides nothing by what it is resumed with: the call waits on', async () => {
    const config = thread();
    const agent = agentThatCalls('Bash', { command: 'ls' }, { interrupts: true });
    await agent.invoke(go, config);
    const resumed = agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config);
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'DECLINE', comment: 'no' });
    expect(told(await resumed)).toBe('no');
    expect(ran).toEqual([]);
  });
});
