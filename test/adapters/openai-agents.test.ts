import { Agent, RunState, setTracingDisabled, tool, Usage, run, type AgentOutputItem, type Model } from '@openai/agents';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { approvals } from '../../src/adapters/openai-agents.ts';
import type { Client } from '../../src/sdk/index.ts';
import { asksOf, nextAsk, startAskingSession, startWorld, type World } from '../sdk/world.ts';

let world: World;
let client: Client;
let session: string;
let ran: string[];

beforeAll(async () => {
  setTracingDisabled(true);
  world = await startWorld();
  client = world.connect();
});

beforeEach(async () => {
  session = await startAskingSession(client);
  ran = [];
});

afterAll(() => world.end());

/** Calls a tool once, then repeats what it was told of it. */
const modelThatCalls = (name: string, args: object): Model => ({
  async getResponse({ input }) {
    const results = typeof input === 'string' ? [] : input.filter((item) => item.type === 'function_call_result');
    const output: AgentOutputItem[] =
      results.length === 0
        ? [{ type: 'function_call', callId: 'call_1', name, status: 'completed', arguments: JSON.stringify(args) }]
        : [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: JSON.stringify(results) }] }];
    return { usage: new Usage(), output };
  },
  getStreamedResponse() {
    throw new Error('Nothing is streamed here.');
  },
});

function agentThatCalls(name: string, args: object, of = client) {
  const gate = approvals({ client: of, session });
  const called = tool({
    name,
    description: 'A tool.',
    parameters: z.object({ command: z.string() }),
    needsApproval: gate.needsApproval(name),
    execute: async ({ command }) => {
      ran.push(command);
      return `ran ${command}`;
    },
  });
  return { gate, agent: new Agent({ name: 'agent', model: modelThatCalls(name, args), tools: [called] }) };
}

describe('needsApproval of the OpenAI Agents SDK', () => {
  it('lets a call run at once that policies allow', async () => {
    const { agent } = agentThatCalls('greet', { command: 'hello' });
    const result = await run(agent, 'go');
    expect(result.interruptions).toEqual([]);
    expect(result.finalOutput).toContain('ran hello');
  });

  it('interrupts the run where a person is asked; it goes on once they accept', async () => {
    const { agent, gate } = agentThatCalls('Bash', { command: 'ls' });
    const interrupted = await run(agent, 'go');
    expect(interrupted.interruptions).toHaveLength(1);
    expect(ran).toEqual([]);
    const settling = gate.settle(interrupted);
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'ACCEPT' });
    const result = await run(agent, await settling);
    expect(result.finalOutput).toContain('ran ls');
    expect(ran).toEqual(['ls']);
    expect(await asksOf(client, session)).toHaveLength(1);
  });

  it('is settled by another process, from the stored state of the run, also when the answer came meanwhile', async () => {
    const before = agentThatCalls('Bash', { command: 'ls' });
    const stored = (await run(before.agent, 'go')).state.toString();
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'ACCEPT' });

    const after = agentThatCalls('Bash', { command: 'ls' }, world.connect());
    const state = await RunState.fromString(after.agent, stored);
    const result = await run(after.agent, await after.gate.settle({ state, interruptions: state.getInterruptions() }));
    expect(result.finalOutput).toContain('ran ls');
    expect(await asksOf(client, session)).toHaveLength(1);
  });

  it.each([
    ['a person declines', { action: 'DECLINE', comment: 'Not on this machine.' }, 'Not on this machine.'],
    ['was accepted with other arguments', { action: 'ACCEPT', editedArguments: { command: 'ls -la' } }, 'Allowed with other arguments only'],
  ] as const)('does not run a call that %s, and tells the model why', async (_, answer, told) => {
    const { agent, gate } = agentThatCalls('Bash', { command: 'ls' });
    const interrupted = await run(agent, 'go');
    const settling = gate.settle(interrupted);
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, ...answer });
    expect((await run(agent, await settling)).finalOutput).toContain(told);
    expect(ran).toEqual([]);
  });

  it('does not run a call that no server judges', async () => {
    const { agent, gate } = agentThatCalls('greet', { command: 'hello' }, world.connect({ url: 'http://127.0.0.1:9/graphql', patienceSeconds: 0 }));
    const interrupted = await run(agent, 'go');
    expect((await run(agent, await gate.settle(interrupted))).finalOutput).toContain('nobody could decide');
    expect(ran).toEqual([]);
  });
});
