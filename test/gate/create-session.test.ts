import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../src/entities/principal.ts';
import { createAgent } from '../../src/gate/create-agent.ts';
import { createSession, type CreateSessionInput } from '../../src/gate/create-session.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { expectKind } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;
let agentId: string;

beforeEach(async () => {
  test = await openTestGate();
  agentId = await newAgent('first');
});

afterEach(async () => {
  await test.close();
});

const newAgent = async (name: string) => expectKind(await createAgent(test.open(), { name }), 'created').agent.id;
const create = async (input: Partial<CreateSessionInput> = {}, principal?: Principal) =>
  expectKind(await createSession(test.open(principal ? { principal } : {}), { agentId, idempotencyKey: 'run 1', ...input }), 'created').session;

describe('a session that is created with an idempotency key', () => {
  it('is one, however many create it at the same time', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(1);
  });

  it('is found again as it is by then, whatever else is given', async () => {
    const first = await create({ title: 'first' });
    expect(await create({ title: 'second', harness: 'other' })).toMatchObject({ id: first.id, title: 'first', harness: null });
    expectKind(await endSession(test.open(), { sessionId: first.id }), 'ended');
    expect(await create()).toMatchObject({ id: first.id, endedAt: expect.any(Date) });
  });

  it('is another one under another key, of another agent, and of another owner', async () => {
    const other: Principal = { kind: 'USER', id: 'other', name: 'Other' };
    const sessions = [await create(), await create({ idempotencyKey: 'run 2' }), await create({ agentId: await newAgent('second') }), await create({}, other), await create({ idempotencyKey: null })];
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(5);
  });

  it('is refused where the key is no text of 1 to 256 characters', async () => {
    for (const idempotencyKey of [' ', 'k'.repeat(257)]) {
      expect(await createSession(test.open(), { agentId, idempotencyKey })).toMatchObject({ kind: 'invalidInput', issues: [{ path: ['idempotencyKey'] }] });
    }
  });
});
