import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Principal } from '../../src/entities/principal.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { previewEvaluation } from '../../src/gate/preview-evaluation.ts';
import { recordUsage } from '../../src/gate/record-usage.ts';
import { updatePolicy } from '../../src/gate/update-policy.ts';
import { defineHandler, type Facts } from '../../src/policy/handler.ts';
import { abstain, deny } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, expectKind, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let seen: Partial<Facts>;

const common = { title: 'Watching', description: 'Keeps what it is shown.', phases: ['TOOL_CALL'] } as const;
const watching = defineHandler({
  ...common,
  name: 'test.watching',
  needs: ['usage', 'subtreeUsage', 'userDailyCost'],
  judge({ facts }) {
    seen = facts;
    return abstain();
  },
});
const spending = defineHandler({ ...common, name: 'test.spending', needs: ['usage'], judge: ({ facts }) => deny(String(facts.usage.total_cost_usd)) });
const idle = defineHandler({ ...common, name: 'test.idle', needs: ['state', 'labels', 'model', 'harness', 'actor'], judge: () => abstain() });

let test: TestGate;
let root: Session;
let child: Session;
let sibling: Session;

beforeEach(async () => {
  test = await openTestGate({ handlers: [watching, spending, idle] });
  root = await startSession(test.open());
  child = await childOf(root);
  sibling = await childOf(root);
});

afterEach(async () => {
  await test.close();
});

async function childOf(parent: Session, principal?: Principal): Promise<Session> {
  return expectKind(await createSession(test.open(principal ? { principal } : {}), { agentId: parent.agent, parentId: parent.id }), 'created').session;
}

const record = async (session: Session, input: object) => expectKind(await recordUsage(test.open(), { sessionId: session.id, ...input }), 'recorded');
const evaluate = async (session: Session) => expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated').evaluation;

const zeros = { input_tokens: 0, output_tokens: 0, total_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

describe('the usage that a policy sees', () => {
  beforeEach(async () => {
    await attachPolicy(test.open(), root, { handler: 'test.watching' });
  });

  it('is nothing, at no cost, where nothing was recorded', async () => {
    await evaluate(child);
    expect(seen.usage).toEqual({ ...zeros, total_cost_usd: 0 });
    expect(seen.subtreeUsage).toEqual({ ...zeros, total_cost_usd: 0 });
    expect(seen.userDailyCost).toEqual({ cost_usd: 0, ask_approved_usd: 0, user_id: 'local', day: test.open().now().toISOString().slice(0, 10) });
  });

  it('is that of the whole tree, and that of the session and those below it', async () => {
    const grandchild = await childOf(child);
    await record(root, { inputTokens: 1, costUsd: 0.1 });
    await record(sibling, { outputTokens: 10, costUsd: 0.2 });
    await record(child, { cacheReadInputTokens: 100, cacheCreationInputTokens: 200, costUsd: 0.3 });
    await record(grandchild, { inputTokens: 1000, costUsd: 0.4 });
    await evaluate(child);
    expect(seen.usage).toEqual({ input_tokens: 1001, output_tokens: 10, total_tokens: 1011, cache_read_input_tokens: 100, cache_creation_input_tokens: 200, total_cost_usd: 1 });
    expect(seen.subtreeUsage).toEqual({ input_tokens: 1000, output_tokens: 0, total_tokens: 1000, cache_read_input_tokens: 100, cache_creation_input_tokens: 200, total_cost_usd: 0.7 });
    await evaluate(root);
    expect(seen.subtreeUsage).toEqual(seen.usage);
  });

  it('has no cost while there are tokens, and no price was ever known', async () => {
    await record(child, { inputTokens: 5 });
    await evaluate(child);
    expect(seen.usage).toEqual({ ...zeros, input_tokens: 5, total_tokens: 5 });
    await record(sibling, { costUsd: 0 });
    await evaluate(child);
    expect(seen.usage).toMatchObject({ total_cost_usd: 0 });
    expect(seen.subtreeUsage).not.toHaveProperty('total_cost_usd');
  });

  it('has no cost where only cached tokens were used either', async () => {
    await record(child, { cacheReadInputTokens: 5 });
    await evaluate(child);
    expect(seen.usage).not.toHaveProperty('total_cost_usd');
  });

  it('of a day is that of all sessions of the owner, and begins anew at midnight in UTC', async () => {
    const ada: Principal = { kind: 'USER', id: 'ada', name: 'Ada' };
    const hers = await childOf(root, ada);
    const elsewhere = await startSession(test.open({ principal: ada }));
    await record(root, { costUsd: 1 });
    await record(hers, { costUsd: 2 });
    await record(elsewhere, { costUsd: 4 });
    await evaluate(hers);
    expect(seen.userDailyCost).toMatchObject({ cost_usd: 6, user_id: 'ada' });
    await evaluate(root);
    expect(seen.userDailyCost).toMatchObject({ cost_usd: 1, user_id: 'local' });
    test.skip(86_400);
    await evaluate(hers);
    expect(seen.userDailyCost).toMatchObject({ cost_usd: 0, ask_approved_usd: 0, day: test.open().now().toISOString().slice(0, 10) });
  });

  it('is shown to previews, too', async () => {
    await record(sibling, { costUsd: 3 });
    expectKind(await previewEvaluation(test.open(), bash(child)), 'previewed');
    expect(seen.usage).toMatchObject({ total_cost_usd: 3 });
  });
});

describe('a report that was answered', () => {
  it('is seen by every event that comes after it, also in sessions whose view is cached', async () => {
    await attachPolicy(test.open(), root, { handler: 'test.spending' });
    for (let cents = 1; cents <= 20; cents += 1) {
      await record(cents % 2 === 0 ? child : sibling, { costUsd: 0.01 });
      expect((await evaluate(child)).reason).toBe(String(cents / 100));
    }
  });

  it('is seen while a hundred others are under way', async () => {
    await attachPolicy(test.open(), root, { handler: 'test.spending' });
    let answered = 0;
    const reporting = Promise.all(
      Array.from({ length: 100 }, async () => {
        await record(sibling, { costUsd: 1 });
        answered += 1;
      }),
    );
    for (let count = 0; answered < 100; count += 1) {
      const before = answered;
      expect(Number((await evaluate(child)).reason)).toBeGreaterThanOrEqual(before);
      if (count > 1000) throw new Error('The reports do not come through.');
    }
    await reporting;
    expect((await evaluate(child)).reason).toBe('100');
  });
});

describe('a fact is read', () => {
  const statements = vi.fn<(sql: string) => void>();
  const readBy = async (session: Session) => {
    await evaluate(session); // warms the view
    statements.mockClear();
    await evaluate(session);
    return statements.mock.calls.map(([sql]) => /from ["`](\w+)["`]/.exec(sql)?.[1]).filter((table) => table !== undefined);
  };

  beforeEach(() => {
    // Below both the entity manager and what goes straight to Kysely.
    const executor = test.orm.em.getKysely().getExecutor();
    const execute = executor.executeQuery.bind(executor);
    vi.spyOn(executor, 'executeQuery').mockImplementation((query, ...rest) => {
      statements(query.sql);
      return execute(query, ...rest);
    });
  });

  it('by nobody where no policy needs it', async () => {
    await attachPolicy(test.open(), root, { handler: 'test.idle' });
    expect(await readBy(child)).toEqual([]);
  });

  it('where a policy needs it, and no other', async () => {
    await attachPolicy(test.open(), root, { handler: 'test.spending' });
    expect(await readBy(child)).toEqual(['session_usage']);
    await attachPolicy(test.open(), root, { handler: 'test.watching', name: 'second' });
    expect(await readBy(child)).toEqual(['session_usage', 'daily_cost']);
  });

  it('by nobody where the policy does not judge the phase, or is off', async () => {
    const policy = await attachPolicy(test.open(), root, { handler: 'test.watching', on: [{ phase: 'REQUEST' }] });
    expect(await readBy(child)).toEqual([]);
    await updatePolicy(test.open(), { policyId: policy.id, on: null });
    expect(await readBy(child)).not.toEqual([]);
    await updatePolicy(test.open(), { policyId: policy.id, enabled: false });
    expect(await readBy(child)).toEqual([]);
  });

  it('by nobody when only another session’s policy needs it', async () => {
    await attachPolicy(test.open(), sibling, { handler: 'test.watching' });
    expect(await readBy(child)).toEqual([]);
  });
});

it('a policy that is attached while facts are looked up judges the next event', async () => {
  await attachPolicy(test.open(), root, { handler: 'test.watching' });
  await Promise.all([evaluate(child), attachPolicy(test.open(), child, { handler: 'test.spending', name: 'second' })]);
  expect(await evaluate(child)).toMatchObject({ verdict: 'DENY', decidingPolicies: ['second'] });
});
