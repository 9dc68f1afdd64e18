import { wrap } from '@mikro-orm/core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AgentSchema } from '../../src/entities/agent.entity.ts';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { inTransaction } from '../../src/entities/in-transaction.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { PolicySchema } from '../../src/entities/policy.entity.ts';
import { readRow, readRowOrFail, readRows, updateRows } from '../../src/entities/rows.ts';
import { SessionSchema } from '../../src/entities/session.entity.ts';
import { createAgent } from '../../src/gate/create-agent.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let test: TestGate;
let gate: Gate;
let sessionId: string;

beforeAll(async () => {
  database = await createDatabase({ isShared: true });
  test = await openTestGate({ database: database.url });
  gate = test.open();
  const agent = await createAgent(gate, { name: 'agent' });
  if (agent.kind !== 'created') throw new Error(agent.kind);
  await createPolicy(gate, { target: { agentId: agent.agent.id }, name: 'os', handler: 'safety.ask_on_os_tools' });
  const session = await createSession(gate, { agentId: agent.agent.id, title: "It's \\ \"quoted\"", labels: { a: 'ä' } });
  if (session.kind !== 'created') throw new Error(session.kind);
  sessionId = session.session.id;
  for (const command of ['ls', 'ls -la', "echo 'ü' \\ \"x\""]) {
    await evaluatePolicy(gate, { sessionId, event: { toolCall: { name: 'Bash', arguments: { command, nested: [null, 1.5, { truth: true }] } } }, waitSeconds: 0 });
  }
});
afterAll(async () => {
  await test.close();
  await database.remove();
});

describe('a row that is read by plain SQL', () => {
  it.each([AgentSchema, SessionSchema, PolicySchema, EvaluationSchema, ElicitationSchema])('is what the entity manager gives', async (schema) => {
    const [entity] = await gate.em.fork().findAll(schema as typeof SessionSchema, { orderBy: { id: 'desc' } });
    if (!entity) throw new Error('There is none.');
    const expected = wrap(entity).toPOJO();
    expect(await readRow(gate, schema as typeof SessionSchema, { id: entity.id })).toEqual(expected);
  });

  it('is absent when it does not meet every condition', async () => {
    const [asked] = await readRows(gate, ElicitationSchema, { session: sessionId as never, settledAt: null });
    if (!asked) throw new Error('There is none.');
    const later = new Date(asked.expiresAt.getTime() + 1);
    expect(await readRow(gate, ElicitationSchema, { id: asked.id, settledAt: null, expiresAt: { $gt: asked.requestedAt } })).toEqual(asked);
    expect(await readRow(gate, ElicitationSchema, { id: asked.id, expiresAt: { $gt: asked.expiresAt } })).toBeNull();
    expect(await readRow(gate, ElicitationSchema, { id: asked.id, expiresAt: { $lte: asked.expiresAt } })).toEqual(asked);
    expect(await readRow(gate, ElicitationSchema, { id: asked.id, settledAt: later })).toBeNull();
    await expect(readRowOrFail(gate, ElicitationSchema, { id: asked.id, digest: 'another' })).rejects.toThrow(/has no row of/);
  });

  it('comes in the order of the ids, and of a list of them', async () => {
    const all = await readRows(gate, EvaluationSchema, { session: sessionId as never, status: 'AWAITING_APPROVAL' });
    expect(all).toHaveLength(3);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted());
    const [first, , third] = all;
    if (!first || !third) throw new Error('There are too few.');
    expect(await readRows(gate, EvaluationSchema, { id: { $in: [third.id, first.id] } })).toEqual([first, third]);
    expect(await readRows(gate, EvaluationSchema, { id: { $in: [] } })).toEqual([]);
  });

  it('is found by what an attacker might write as such, and by nothing else', async () => {
    expect(await readRows(gate, EvaluationSchema, { status: "DECIDED' or '1' = '1" as never })).toEqual([]);
    expect(await readRows(gate, SessionSchema, { title: "It's \\ \"quoted\"" })).toHaveLength(1);
  });
});

describe('an update by plain SQL', () => {
  it('says how many rows it has changed, and leaves what it writes as it is', async () => {
    const labels = Object.freeze({ b: "it's" });
    expect(await updateRows(gate, SessionSchema, { set: { labels, title: null }, where: { id: sessionId as never, endedAt: null } })).toBe(1);
    expect(await updateRows(gate, SessionSchema, { set: { labels: {} }, where: { id: sessionId as never, version: 'another' } })).toBe(0);
    expect(await readRow(gate, SessionSchema, { id: sessionId as never })).toMatchObject({ labels: { b: "it's" }, title: null });
  });

  it('is undone with its transaction', async () => {
    const failing = inTransaction(gate.em, async (tx) => {
      await updateRows({ em: tx }, SessionSchema, { set: { title: 'lost' }, where: { id: sessionId as never } });
      throw new Error('over');
    });
    await expect(failing).rejects.toThrow('over');
    expect(await readRow(gate, SessionSchema, { id: sessionId as never, title: 'lost' })).toBeNull();
  });
});

// PostgreSQL's transactions do not read of one moment.
describe.skipIf(inject('postgres') !== undefined)('a transaction of SQLite that has read before another program wrote', () => {
  it('is done again, on what that has written', async () => {
    const other = await openDatabase(database.url);
    const seen: unknown[] = [];
    try {
      await inTransaction(gate.em, async (tx) => {
        const session = await readRowOrFail({ em: tx }, SessionSchema, { id: sessionId as never });
        seen.push(session.title);
        if (seen.length === 1) await updateRows(other, SessionSchema, { set: { title: 'by the other' }, where: { id: session.id } });
        await updateRows({ em: tx }, SessionSchema, { set: { model: 'by us' }, where: { id: session.id } });
      });
    } finally {
      await other.close();
    }
    expect(seen).toEqual([null, 'by the other']);
    expect(await readRow(gate, SessionSchema, { id: sessionId as never })).toMatchObject({ title: 'by the other', model: 'by us' });
  });
});
