import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeniedError, UndecidedError, type Client } from '../../src/sdk/index.ts';
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

/** A tool that notes what it was run with. */
function createTool() {
  const runs: unknown[] = [];
  return {
    runs,
    bash: async (args: { command: string }) => {
      runs.push(args);
      return `ran ${args.command}`;
    },
  };
}

/** What a call rejects with. */
async function rejection(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => expect.fail(`It resolved to ${JSON.stringify(value)}.`),
    (error: unknown) => error,
  );
}

describe('a gated tool', () => {
  it('runs at once where no policy objects, and hands through whatever else it is called with', async () => {
    const add = client.gate(({ a, b }: { a: number; b: number }, unit: string) => `${a + b} ${unit}`, { session, name: 'add' });
    await expect(add({ a: 1, b: 2 }, 'apples')).resolves.toBe('3 apples');
  });

  it('waits for a person, and runs once they accept', async () => {
    const { runs, bash } = createTool();
    const result = client.gate(bash, { session, name: 'Bash' })({ command: 'ls' });
    const { id } = await nextAsk(client, session);
    expect(runs).toEqual([]);
    await client.resolve({ elicitationId: id, action: 'ACCEPT' });
    await expect(result).resolves.toBe('ran ls');
    expect(runs).toEqual([{ command: 'ls' }]);
  });

  it('is known by the name of its function, and must have one', async () => {
    const gated = client.gate(async function Bash(args: { command: string }) {
      return args.command;
    }, { session });
    const result = gated({ command: 'ls' });
    const { id, message } = await nextAsk(client, session);
    expect(message).toContain('Bash: ls');
    await client.resolve({ elicitationId: id, action: 'ACCEPT' });
    await expect(result).resolves.toBe('ls');
    expect(() => client.gate(() => 1, { session })).toThrow('The tool has no name');
  });

  it('runs with the arguments that the approver put in their place', async () => {
    const { runs, bash } = createTool();
    const result = client.gate(bash, { session, name: 'Bash' })({ command: 'rm -rf build' });
    const { id } = await nextAsk(client, session);
    await client.resolve({ elicitationId: id, action: 'ACCEPT', editedArguments: { command: 'rm -rf build/tmp' } });
    await expect(result).resolves.toBe('ran rm -rf build/tmp');
    expect(runs).toEqual([{ command: 'rm -rf build/tmp' }]);
  });

  it('does not run what a person declines: their words are the reason, and who decided about what is said', async () => {
    const { runs, bash } = createTool();
    const result = client.gate(bash, { session, name: 'Bash' })({ command: 'rm -rf /' });
    const { id } = await nextAsk(client, session);
    await client.resolve({ elicitationId: id, action: 'DECLINE', comment: 'Not on this machine.' });
    const error = await rejection(result);
    expect(error).toBeInstanceOf(DeniedError);
    expect(error).not.toBeInstanceOf(UndecidedError);
    expect(error).toMatchObject({ name: 'DeniedError', message: 'Not on this machine.', reason: 'Not on this machine.', phase: 'TOOL_CALL', decidedBy: 'PERSON', elicitationId: id, evaluationId: expect.stringMatching(/^evl_/) });
    expect(runs).toEqual([]);
  });

  it('does not run what a policy denies', async () => {
    const denying = await startAskingSession(client);
    await client.createPolicy({ target: { sessionId: denying }, name: 'no', handler: 'safety.fixed_action', params: { action: 'DENY', reason: 'Never.' }, on: [{ phase: 'TOOL_CALL' }] });
    const { runs, bash } = createTool();
    expect(await rejection(client.gate(bash, { session: denying })({ command: 'ls' }))).toMatchObject({ name: 'DeniedError', reason: 'Never.', decidedBy: 'POLICY', elicitationId: null });
    expect(runs).toEqual([]);
  });

  it('does not run when its arguments were changed while it waited', async () => {
    const { runs, bash } = createTool();
    const args = { command: 'ls' };
    const result = rejection(client.gate(bash, { session, name: 'Bash' })(args));
    const { id } = await nextAsk(client, session);
    args.command = 'rm -rf /';
    await client.resolve({ elicitationId: id, action: 'ACCEPT' });
    expect(await result).toMatchObject({ name: 'UndecidedError', reason: expect.stringContaining('changed while the call waited'), elicitationId: id });
    expect(runs).toEqual([]);
  });

  it('gets a copy of its arguments: what the caller changes as it runs changes nothing', async () => {
    const args = { list: ['a'] };
    const echo = client.gate(
      async (given: typeof args) => {
        args.list.push('b');
        return given.list;
      },
      { session, name: 'echo' },
    );
    await expect(echo(args)).resolves.toEqual(['a']);
  });

  it.each([
    ['a date', { at: new Date(0) }, 'args.at is of class Date'],
    ['a function', { run: () => 1 }, 'args.run is a function'],
    ['NaN', { sizes: [1, NaN] }, 'args.sizes[1] is NaN'],
    ['a bigint', { id: 1n }, 'args.id is a bigint'],
    ['an object within itself', circular(), 'args.self is an object that is within itself'],
  ])('says where its arguments are no JSON: %s', async (_, args, message) => {
    const { runs, bash } = createTool();
    const error = await rejection(client.gate(bash as (args: object) => Promise<string>, { session, name: 'echo' })(args));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
    expect(runs).toEqual([]);
  });

  it('does not run twice under one key: the second call gets the same verdict, but a key with other arguments none', async () => {
    const { runs, bash } = createTool();
    const gated = client.gate(bash, { session, name: 'Bash', perCall: () => ({ idempotencyKey: 'toolu_1' }) });
    const first = gated({ command: 'one' });
    await client.resolve({ elicitationId: (await nextAsk(client, session)).id, action: 'DECLINE' });
    expect(await rejection(first)).toMatchObject({ decidedBy: 'PERSON' });
    expect(await rejection(gated({ command: 'one' }))).toMatchObject({ decidedBy: 'PERSON' });
    expect(await rejection(gated({ command: 'two' }))).toMatchObject({ name: 'UndecidedError', cause: { result: { __typename: 'IdempotencyKeyReusedError' } } });
    expect(runs).toEqual([]);
    expect(await asksOf(client, session)).toHaveLength(1);
  });
});

describe('the result of a gated tool', () => {
  let judged: string;

  beforeAll(async () => {
    judged = await startAskingSession(client);
    await client.createPolicy({ target: { sessionId: judged }, name: 'no results', handler: 'safety.fixed_action', params: { action: 'DENY', reason: 'Secret.' }, on: [{ phase: 'TOOL_RESULT', toolName: 'read_secret' }] });
  });

  it('is judged too, and kept from the caller when it is denied', async () => {
    const runs: number[] = [];
    const gated = client.gate(async () => void runs.push(1), { session: judged, name: 'read_secret' });
    expect(await rejection(gated({}))).toMatchObject({ name: 'DeniedError', phase: 'TOOL_RESULT', reason: 'Secret.' });
    expect(runs).toEqual([1]);
  });

  it('is judged as an error when the tool throws, and the error is the caller’s', async () => {
    const fault = new Error('no such file');
    const gated = client.gate(
      async () => {
        throw fault;
      },
      { session: judged, name: 'fetch_notes' },
    );
    expect(await rejection(gated({}))).toBe(fault);
    for await (const { evaluation } of client.watchSessionEvents({ sessionId: judged })) {
      if (evaluation?.phase !== 'TOOL_RESULT' || (evaluation.event as { target: string }).target !== 'fetch_notes') continue;
      expect(evaluation).toMatchObject({ verdict: 'ALLOW', event: { data: { result: expect.stringContaining('no such file') } } });
      break;
    }
  });
});

describe('a session that is named by its agent', () => {
  it('is created at the first call, once for all calls', async () => {
    const gated = client.gate(async () => 1, { session: { agent: 'lazy' }, name: 'one' });
    await Promise.all([gated({}), gated({}), gated({})]);
    const { edges } = await client.agents({ first: 100 });
    const agent = edges.find(({ node }) => node.name === 'lazy')?.node.id ?? 'nobody';
    const sessions = await client.sessions({ filter: { agentId: agent } });
    expect(sessions.edges).toHaveLength(1);
  });

  it('is the same one for whoever gives the same external id', async () => {
    const open = () => world.connect().openSession({ agent: 'cron', externalId: 'job 7', title: 'nightly' });
    const [first, second, third] = await Promise.all([open(), open(), open()]);
    expect([second.id, third.id]).toEqual([first.id, first.id]);
    expect((await client.openSession({ agent: 'cron', externalId: 'job 8' })).id).not.toBe(first.id);
  });
});

function circular(): object {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}
