import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DailyCostSchema } from '../../src/entities/daily-cost.entity.ts';
import type { Principal } from '../../src/entities/principal.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { ownUsage, SessionUsageSchema, subtreeUsage } from '../../src/entities/session-usage.entity.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { recordUsage, type RecordUsageInput } from '../../src/gate/record-usage.ts';
import { expectKind, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;
let root: Session;
let child: Session;
let grandchild: Session;

beforeEach(async () => {
  test = await openTestGate();
  root = await startSession(test.open());
  child = await childOf(root);
  grandchild = await childOf(child);
});

afterEach(async () => {
  await test.close();
});

async function childOf(parent: Session, principal?: Principal): Promise<Session> {
  return expectKind(await createSession(test.open(principal ? { principal } : {}), { agentId: parent.agent, parentId: parent.id }), 'created').session;
}

const record = (session: Session, input: Omit<RecordUsageInput, 'sessionId'> = {}) => recordUsage(test.open(), { sessionId: session.id, ...input });
const rowOf = ({ id }: Session) => test.open().em.findOne(SessionUsageSchema, { session: id });
const own = async (session: Session) => ownUsage(await rowOf(session));
const subtree = async (session: Session) => subtreeUsage(await rowOf(session));
const days = () => test.open().em.find(DailyCostSchema, {}, { orderBy: { day: 'asc', ownerId: 'asc' } });

const nothing = { inputTokens: 0, outputTokens: 0, totalTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, totalCostUsd: null };

describe('a report', () => {
  it('is added to the session’s own usage, and to what each session above it has used with its descendants', async () => {
    expectKind(await record(child, { inputTokens: 100, outputTokens: 20, cacheReadInputTokens: 7, cacheCreationInputTokens: 3, costUsd: 0.5 }), 'recorded');
    expectKind(await record(root, { inputTokens: 1, costUsd: 0.25 }), 'recorded');
    const ofChild = { inputTokens: 100, outputTokens: 20, totalTokens: 120, cacheReadInputTokens: 7, cacheCreationInputTokens: 3, totalCostUsd: 0.5 };
    expect(await own(child)).toEqual(ofChild);
    expect(await subtree(child)).toEqual(ofChild);
    expect(await own(root)).toEqual({ ...nothing, inputTokens: 1, totalTokens: 1, totalCostUsd: 0.25 });
    expect(await subtree(root)).toEqual({ ...ofChild, inputTokens: 101, totalTokens: 121, totalCostUsd: 0.75 });
    expect(await own(grandchild)).toEqual(nothing);
    expect(await subtree(grandchild)).toEqual(nothing);
  });

  it('may say itself what all tokens are', async () => {
    await record(child, { inputTokens: 1, outputTokens: 2, totalTokens: 10 });
    expect(await own(child)).toMatchObject({ inputTokens: 1, outputTokens: 2, totalTokens: 10 });
  });

  it('without a cost leaves what was priced as it is, and one of nothing changes nothing', async () => {
    await record(child, { inputTokens: 5 });
    expect(await subtree(root)).toMatchObject({ totalTokens: 5, totalCostUsd: null });
    await record(child, { costUsd: 0 });
    expect(await subtree(root)).toMatchObject({ totalTokens: 5, totalCostUsd: 0 });
    await record(grandchild, { inputTokens: 5 });
    await record(grandchild);
    expect(await subtree(root)).toMatchObject({ totalTokens: 10, totalCostUsd: 0 });
    expect(await own(grandchild)).toMatchObject({ totalTokens: 5, totalCostUsd: null });
  });

  it('counts after the end of its session, too, for then the last bill comes', async () => {
    await endSession(test.open(), { sessionId: root.id });
    expectKind(await record(grandchild, { costUsd: 2 }), 'recorded');
    expect(await subtree(root)).toMatchObject({ totalCostUsd: 2 });
  });

  it('is exact, however many come at once', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, index) => record(index % 2 === 0 ? child : grandchild, { inputTokens: 1, costUsd: 0.01 })));
    expect(await own(child)).toMatchObject({ inputTokens: 50, totalCostUsd: 0.5 });
    expect(await subtree(root)).toMatchObject({ inputTokens: 100, totalCostUsd: 1 });
    expect(await days()).toMatchObject([{ costUsd: expect.closeTo(1, 9) }]);
  });

  it('leaves the sum a number when every report is as large as can be', async () => {
    for (let index = 0; index < 3; index += 1) expectKind(await record(child, { inputTokens: Number.MAX_SAFE_INTEGER, costUsd: Number.MAX_SAFE_INTEGER }), 'recorded');
    expect((await subtree(root)).inputTokens).toBeCloseTo(3 * Number.MAX_SAFE_INTEGER, -3);
    expectKind(await record(child, { costUsd: 1 }), 'recorded');
  });
});

describe('the cost of a day', () => {
  it('is that of all sessions of one owner, by the day in UTC', async () => {
    const ada: Principal = { kind: 'USER', id: 'ada', name: 'Ada' };
    const hers = await childOf(root, ada);
    const other = await startSession(test.open({ principal: ada }));
    const toMidnight = 86_400 - (test.open().now().getTime() / 1000) % 86_400;
    test.skip(toMidnight - 60);
    const today = test.open().now().toISOString().slice(0, 10);
    await record(root, { costUsd: 1 });
    await record(hers, { costUsd: 2 });
    await record(other, { costUsd: 3 });
    await record(other, { inputTokens: 1000 });
    test.skip(120);
    const tomorrow = test.open().now().toISOString().slice(0, 10);
    await record(other, { costUsd: 4 });
    expect(await days()).toMatchObject([
      { ownerKind: 'USER', ownerId: 'ada', day: today, costUsd: 5, askApprovedUsd: 0 },
      { ownerKind: 'USER', ownerId: 'local', day: today, costUsd: 1 },
      { ownerKind: 'USER', ownerId: 'ada', day: tomorrow, costUsd: 4 },
    ]);
  });

  it('is nobody else’s who happens to have the same id', async () => {
    const key: Principal = { kind: 'AGENT_KEY', id: 'local', name: 'A key' };
    await record(await childOf(root, key), { costUsd: 1 });
    await record(root, { costUsd: 2 });
    expect((await days()).map(({ ownerKind, costUsd }) => [ownerKind, costUsd]).sort()).toEqual([
      ['AGENT_KEY', 1],
      ['USER', 2],
    ]);
  });
});

describe('a report with an idempotency key', () => {
  const report = { idempotencyKey: 'k', inputTokens: 10, costUsd: 0.1 };

  it('counts once, also after a restart and when twenty come at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => record(child, report)));
    for (const outcome of outcomes) expect(expectKind(outcome, 'recorded').session.id).toBe(child.id);
    await test.restart();
    expectKind(await record(child, report), 'recorded');
    expect(await subtree(root)).toMatchObject({ inputTokens: 10, totalCostUsd: 0.1 });
    expect(await days()).toMatchObject([{ costUsd: 0.1 }]);
  });

  it.for([
    { ...report, totalTokens: 10, outputTokens: 0, cacheReadInputTokens: null },
    { ...report, idempotencyKey: ' k ' },
    { ...report, outputTokens: -0 },
  ])('is the same when it says the same in other words: %j', async (again) => {
    await record(child, report);
    expectKind(await record(child, again), 'recorded');
    expect(await own(child)).toMatchObject({ inputTokens: 10 });
  });

  it.for([{ inputTokens: 11 }, { totalTokens: 11 }, { costUsd: 0.2 }, { costUsd: 0 }, { costUsd: null }, { outputTokens: 1, totalTokens: 10 }, { cacheCreationInputTokens: 1 }])(
    'is a conflict when it says something else: %j',
    async (other) => {
      await record(child, report);
      expectKind(await record(child, { ...report, ...other }), 'conflict');
      expect(await own(child)).toMatchObject({ inputTokens: 10, totalTokens: 10, totalCostUsd: 0.1 });
    },
  );

  it('is another one in another session', async () => {
    await record(child, report);
    expectKind(await record(grandchild, { ...report, inputTokens: 1 }), 'recorded');
    expect(await subtree(child)).toMatchObject({ inputTokens: 11 });
  });

  it('without a price is not one that cost nothing', async () => {
    await record(child, { idempotencyKey: 'k', inputTokens: 1 });
    expectKind(await record(child, { idempotencyKey: 'k', inputTokens: 1 }), 'recorded');
    expectKind(await record(child, { idempotencyKey: 'k', inputTokens: 1, costUsd: 0 }), 'conflict');
  });
});

describe('what is no report is refused, and changes nothing', () => {
  it.for<[string, unknown, string]>([
    ['inputTokens', -1, 'must not be negative'],
    ['outputTokens', 1.5, 'must be a whole number'],
    ['totalTokens', '12', 'must be a number'],
    ['cacheReadInputTokens', NaN, 'must be a number'],
    ['cacheCreationInputTokens', Infinity, 'must be a number'],
    ['inputTokens', 2 ** 53, 'must be at most 9,007,199,254,740,991'],
    ['inputTokens', true, 'must be a number'],
    ['inputTokens', [1], 'must be a number'],
    ['costUsd', -0.01, 'must not be negative'],
    ['costUsd', NaN, 'must be a number'],
    ['costUsd', Infinity, 'must be a number'],
    ['costUsd', '1', 'must be a number'],
    ['costUsd', 1e300, 'must be at most 9,007,199,254,740,991'],
    ['idempotencyKey', ' ', 'must not be blank'],
  ])('%s %j', async ([field, value, message]) => {
    const outcome = expectKind(await record(child, { outputTokens: 1, [field]: value }), 'invalidInput');
    expect(outcome.issues).toEqual([{ path: [field], message }]);
    expect(await own(child)).toEqual(nothing);
  });

  it('all that is wrong is named', async () => {
    expect(expectKind(await record(child, { inputTokens: -1, costUsd: -1 }), 'invalidInput').issues.map(({ path }) => path)).toEqual([['inputTokens'], ['costUsd']]);
  });

  it.for(['ses_00000000000000000000000000', 'nonsense', ''])('of a session %j that is not there', async (sessionId) => {
    expect(await recordUsage(test.open(), { sessionId, costUsd: 1 })).toMatchObject({ kind: 'notFound', id: sessionId });
    expect(await days()).toEqual([]);
  });
});
