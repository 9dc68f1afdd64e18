import { buildSchema, parse } from 'graphql';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { RefusedError, type Client, type DecisionSource, type Elicitation, type Evaluation, type GatedTool, type Phase, type Session, type SessionEvent, type Verdict } from '../../src/sdk/index.ts';
import { evaluatePolicy, inputOperations, queries } from '../../src/sdk/operations.ts';
import { startWorld, type World } from './world.ts';

const schema = buildSchema(readFileSync(path.join(import.meta.dirname, '../../schema.graphql'), 'utf8'));

let world: World;
let client: Client;

beforeAll(async () => {
  world = await startWorld();
  client = world.connect();
});

afterAll(() => world.end());

describe('the methods of a client', () => {
  it('are one for each query and mutation of the contract, under its name, and two for the policies of one session or agent', () => {
    const { sessionPolicies, agentPolicies, ...named } = queries;
    expect([sessionPolicies.field, agentPolicies.field]).toEqual(['session', 'agent']);
    const operations = { ...named, ...inputOperations, evaluatePolicy };
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) => Object.keys(type?.getFields() ?? {}));
    expect(Object.keys(operations).toSorted()).toEqual(fields.toSorted());
    for (const [name, operation] of Object.entries(operations)) {
      expect(operation.field).toBe(name);
      expect(() => parse(String(operation.document))).not.toThrow();
    }
  });

  it('resolve to the success member, and reject with the error member as the contract has it', async () => {
    const agent = await client.createAgent({ name: 'one' });
    expect(agent).toMatchObject({ __typename: 'Agent', name: 'one' });
    expect(await client.agent({ id: agent.id })).toMatchObject({ name: 'one' });
    const refused = client.createAgent({ name: '' });
    await expect(refused).rejects.toBeInstanceOf(RefusedError);
    await expect(refused).rejects.toMatchObject({ result: { __typename: 'InvalidInputError', issues: [{ path: ['name'], message: expect.any(String) }] } });
    await expect(client.createAgent({ name: 'one' })).rejects.toMatchObject({ result: { __typename: 'ConflictError' } });
  });

  it('resolve to null for what is not there', async () => {
    expect(await client.session({ id: 'ses_nowhere' })).toBeNull();
    expect(await client.evaluation({ id: 'evl_nowhere' })).toBeNull();
  });

  it('send a report of usage again that has a key, and it counts once', async () => {
    const { id } = await client.openSession({ agent: 'two' });
    for (let time = 0; time < 2; time += 1) await client.recordUsage({ sessionId: id, idempotencyKey: 'turn 1', inputTokens: 10 });
    expect(await client.session({ id })).toMatchObject({ usage: { inputTokens: 10 } });
  });
});

describe('their types', () => {
  it('are those of the schema, with the error members of unions taken out', () => {
    expectTypeOf<Awaited<ReturnType<Client['createSession']>>['__typename']>().toEqualTypeOf<'Session'>();
    expectTypeOf<Awaited<ReturnType<Client['resolveElicitation']>>['__typename']>().toEqualTypeOf<'Elicitation'>();
    expectTypeOf<Awaited<ReturnType<Client['session']>>>().extract<null>().toEqualTypeOf<null>();
    expectTypeOf<ReturnType<Client['evaluate']>>().resolves.toEqualTypeOf<Evaluation>();
    expectTypeOf<ReturnType<Client['openSession']>>().resolves.toEqualTypeOf<Session>();
    expectTypeOf<Parameters<Client['createSession']>[0]['agentId']>().toEqualTypeOf<string>();
    expectTypeOf<Parameters<Client['viewer']>[0]>().toBeNullable();
  });

  it('let enums grow: what a newer server says is text that must be thought of', () => {
    expectTypeOf<'ALLOW' | 'DENY' | 'ASK'>().toExtend<Verdict>();
    expectTypeOf<Verdict>().exclude<'ALLOW' | 'DENY' | 'ASK'>().not.toBeNever();
    expectTypeOf<DecisionSource>().exclude<'POLICY' | 'PERSON' | 'EXPIRY' | 'CANCELLATION' | 'FAILURE'>().not.toBeNever();
    expectTypeOf<Phase>().exclude<'REQUEST' | 'RESPONSE' | 'TOOL_CALL' | 'TOOL_RESULT' | 'LLM_REQUEST' | 'LLM_RESPONSE'>().not.toBeNever();
  });

  it('of a gated tool are those of the tool', () => {
    const gated = client.gate(async (args: { path: string }, depth: number) => ({ args, depth }), { session: 'ses_1', name: 'list' });
    expectTypeOf(gated).toEqualTypeOf<GatedTool<{ path: string }, [depth: number], { args: { path: string }; depth: number }>>();
    expectTypeOf(gated).parameters.toEqualTypeOf<[{ path: string }, number]>();
    expectTypeOf(gated).returns.resolves.toEqualTypeOf<{ args: { path: string }; depth: number }>();
  });

  it('of watches are those of what they tell', () => {
    expectTypeOf(client.watchElicitations).returns.toEqualTypeOf<AsyncGenerator<Elicitation, void, undefined>>();
    expectTypeOf(client.watchSessionEvents).returns.toEqualTypeOf<AsyncGenerator<SessionEvent, void, undefined>>();
  });
});
