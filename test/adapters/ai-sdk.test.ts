import { generateText, isStepCount, tool, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolApproval } from '../../src/adapters/ai-sdk.ts';
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

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };

/** Calls Bash once, then says that it is done. */
const modelThatCalls = (command: string) =>
  new MockLanguageModelV4({
    doGenerate: [
      { content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'Bash', input: JSON.stringify({ command }) }], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] },
      { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] },
    ],
  });

const bash = async ({ command }: { command: string }) => {
  ran.push(command);
  return `ran ${command}`;
};
const inputSchema = z.object({ command: z.string() });

/** What the model was told in the end. */
async function finish(model: MockLanguageModelV4, { tools, ...options }: { tools: ToolSet; toolApproval?: ReturnType<typeof toolApproval> }): Promise<string> {
  await generateText({ model, tools, prompt: 'go', stopWhen: isStepCount(3), ...options });
  return JSON.stringify(model.doGenerateCalls.at(-1)?.prompt);
}

const approving = (command = 'ls', of = client) => finish(modelThatCalls(command), { tools: { Bash: tool({ inputSchema, execute: bash }) }, toolApproval: toolApproval({ client: of, session }) });

describe('toolApproval of the AI SDK', () => {
  it('lets a call run once a person accepts', async () => {
    const told = approving();
    const { id } = await nextAsk(client, session);
    expect(ran).toEqual([]);
    await client.resolve({ elicitationId: id, action: 'ACCEPT' });
    expect(await told).toContain('ran ls');
    expect(ran).toEqual(['ls']);
    expect(await asksOf(client, session)).toHaveLength(1);
  });

  it('does not run what a person declines, and tells the model why', async () => {
    const told = approving();
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'DECLINE', comment: 'Not on this machine.' });
    expect(await told).toContain('Not on this machine.');
    expect(ran).toEqual([]);
  });

  it('does not run a call that was accepted with other arguments, and tells the model with which', async () => {
    const told = approving('rm -rf build');
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'ACCEPT', editedArguments: { command: 'rm -rf build/tmp' } });
    expect(await told).toContain('rm -rf build/tmp');
    expect(ran).toEqual([]);
  });

  it('does not run a call that no server judges', async () => {
    expect(await approving('ls', world.connect({ url: 'http://127.0.0.1:9/graphql', patienceSeconds: 0 }))).toContain('nobody could decide');
    expect(ran).toEqual([]);
  });
});

describe('`execute` of a tool of the AI SDK, gated', () => {
  it('runs with the arguments that the approver put in their place', async () => {
    const execute = client.gate(bash, { session, name: 'Bash', perCall: (_args, ...rest: unknown[]) => ({ idempotencyKey: (rest[0] as { toolCallId: string }).toolCallId }) });
    const told = finish(modelThatCalls('rm -rf build'), { tools: { Bash: tool({ inputSchema, execute }) } });
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'ACCEPT', editedArguments: { command: 'rm -rf build/tmp' } });
    expect(await told).toContain('ran rm -rf build/tmp');
  });
});
