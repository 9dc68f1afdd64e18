import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PolicySchema } from '../../src/entities/policy.entity.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { deletePolicy } from '../../src/gate/delete-policy.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { previewEvaluation } from '../../src/gate/preview-evaluation.ts';
import { policiesOf } from '../../src/gate/session-view.ts';
import { updateAgent } from '../../src/gate/update-agent.ts';
import { updatePolicy } from '../../src/gate/update-policy.ts';
import { updateSession } from '../../src/gate/update-session.ts';
import { attachPolicy, bash, expectKind, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate();
});

afterEach(async () => {
  await test.close();
});

const verdict = async (session: Session, command = 'ls') => expectKind(await evaluatePolicy(test.open(), bash(session, command, { waitSeconds: 0 })), 'evaluated').evaluation;
const child = async (parent: Session) => expectKind(await createSession(test.open(), { agentId: parent.agent, parentId: parent.id }), 'created').session;
const limit = (name: string, calls: number) => ({ name, handler: 'safety.max_tool_calls_per_session', params: { limit: calls } });

describe('the order of policies', () => {
  it("is the session's own, each ancestor's from the nearest on, the agent's, the server's; within each as they were created", async () => {
    const root = await startSession(test.open());
    const middle = await child(root);
    const leaf = await child(middle);
    const targets = [{ server: true }, { agentId: root.agent }, { sessionId: root.id }, { sessionId: middle.id }, { sessionId: leaf.id }];
    for (const [index, target] of targets.entries()) {
      for (const name of ['b', 'a']) expectKind(await createPolicy(test.open(), { ...limit(`${index}${name}`, 99), target }), 'created');
    }
    const order = (await policiesOf(leaf, test.open().em)).map(({ name }) => name);
    expect(order).toEqual(['4b', '4a', '3b', '3a', '2b', '2a', '1b', '1a', '0b', '0a']);
    const { decision } = expectKind(await previewEvaluation(test.open(), bash(leaf)), 'previewed');
    expect(decision.steps.map(({ policy }) => policy)).toEqual([...order, '__ask_on_add_policy']);
  });
});

describe('an inherited policy', () => {
  it('judges every descendant, also one that has no policy of its own', async () => {
    const root = await startSession(test.open());
    await attachPolicy(test.open(), root);
    const leaf = await child(await child(root));
    expect(await verdict(leaf)).toMatchObject({ verdict: 'ASK', decidingPolicies: ['os tools'] });
  });

  it('cannot be disarmed by a policy of the same name', async () => {
    const root = await startSession(test.open());
    await attachPolicy(test.open(), root);
    const leaf = await child(root);
    await attachPolicy(test.open(), leaf, limit('os tools', 99));
    expect(await verdict(leaf)).toMatchObject({ verdict: 'ASK' });
  });
});

describe('a change of policies', () => {
  it('counts from the next evaluation on: created, disabled, enabled, deleted, at every level', async () => {
    const session = await startSession(test.open());
    for (const target of [{ sessionId: session.id }, { agentId: session.agent }, { server: true }]) {
      expect(await verdict(session)).toMatchObject({ verdict: 'ALLOW' });
      const { policy } = expectKind(await createPolicy(test.open(), { target, name: 'os', handler: 'safety.ask_on_os_tools' }), 'created');
      expect(await verdict(session)).toMatchObject({ verdict: 'ASK' });
      expectKind(await updatePolicy(test.open(), { policyId: policy.id, enabled: false }), 'updated');
      expect(await verdict(session)).toMatchObject({ verdict: 'ALLOW' });
      expectKind(await updatePolicy(test.open(), { policyId: policy.id, enabled: true }), 'updated');
      expect(await verdict(session)).toMatchObject({ verdict: 'ASK' });
      expectKind(await deletePolicy(test.open(), { policyId: policy.id }), 'deleted');
    }
    expect(await verdict(session)).toMatchObject({ verdict: 'ALLOW' });
  });

  it('is seen through labels and label definitions too', async () => {
    const session = await startSession(test.open(), { labels: { env: 'dev' } });
    await attachPolicy(test.open(), session, { condition: { env: ['prod', 'staging'] } });
    expect(await verdict(session)).toMatchObject({ verdict: 'ALLOW' });
    expectKind(await updateSession(test.open(), { sessionId: session.id, labels: { env: 'prod' } }), 'updated');
    expect(await verdict(session)).toMatchObject({ verdict: 'ASK' });
    expectKind(await updateAgent(test.open(), { agentId: session.agent, askTimeoutSeconds: 7 }), 'updated');
    expect(await verdict(session)).toMatchObject({ verdict: 'ASK' });
  });
});

describe('a policy that cannot run', () => {
  const write = (session: Session, policy: object) => createPolicy(test.open(), { target: { sessionId: session.id }, name: 'p', handler: 'safety.ask_on_os_tools', ...policy });

  it.each([
    ['an unknown handler', { handler: 'safety.nothing' }, ['handler']],
    ['params for a handler that takes none', { params: { limit: 1 } }, ['params']],
    ['params of a wrong type', { handler: 'safety.max_tool_calls_per_session', params: { limit: 'ten' } }, ['params', 'limit']],
    ['an unknown param', { handler: 'safety.max_tool_calls_per_session', params: { limits: 1 } }, ['params', 'limits']],
    ['a missing param', { handler: 'safety.block_skills' }, ['params', 'blocked']],
    ['a wrong item in a list', { handler: 'safety.block_skills', params: { blocked: ['a', 1] } }, ['params', 'blocked', '1']],
  ])('is refused at create: %s', async (_, policy, path) => {
    const session = await startSession(test.open());
    const { issues } = expectKind(await write(session, policy), 'invalidInput');
    expect(issues.map((issue) => issue.path.slice(0, path.length))).toContainEqual(path);
    expect(await test.open().em.count(PolicySchema)).toBe(0);
  });

  it('is refused at update: wrong params, a handler that the params do not fit, another kind of handler', async () => {
    const session = await startSession(test.open());
    const { policy } = expectKind(await write(session, limit('p', 3)), 'created');
    for (const change of [{ params: { limit: 'x' } }, { handler: 'safety.block_skills' }, { handler: 'safety.ask_on_os_tools', params: null }]) {
      expectKind(await updatePolicy(test.open(), { policyId: policy.id, ...change }), 'invalidInput');
    }
    expect(await test.open().em.findOneOrFail(PolicySchema, { id: policy.id })).toMatchObject({ handler: policy.handler, params: { limit: 3 } });
  });

  it('denies what it would judge, when its handler has gone since', async () => {
    const session = await startSession(test.open());
    await write(session, {});
    await test.orm.em.fork().execute(`update policy set handler = 'gone.away'`);
    await test.restart();
    expect(await verdict(session)).toMatchObject({ verdict: 'DENY', decidedBy: 'FAILURE' });
  });
});

describe('a policy', () => {
  it('is stored under the short name of its handler', async () => {
    const session = await startSession(test.open());
    const policy = await attachPolicy(test.open(), session, { handler: 'omnigent.policies.builtins.safety.ask_on_os_tools' });
    expect(policy.handler).toBe('safety.ask_on_os_tools');
  });

  it('has a name that is unique on its target, also in a race, and free on another', async () => {
    const session = await startSession(test.open());
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => createPolicy(test.open(), { target: { sessionId: session.id }, ...limit(' same ', 1) })));
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'conflict')).toHaveLength(9);
    expectKind(await createPolicy(test.open(), { target: { agentId: session.agent }, ...limit('same', 1) }), 'created');
  });

  it('narrows to what its selectors name', async () => {
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { on: [{ phase: 'TOOL_CALL', toolName: 'Write' }] });
    expect(await verdict(session)).toMatchObject({ verdict: 'ALLOW' });
  });

  it('that an agent would attach to its own session asks first, with nothing configured, under any server prefix', async () => {
    const session = await startSession(test.open());
    for (const name of ['sys_add_policy', 'mcp__countersign__sys_add_policy']) {
      const outcome = await evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name, arguments: {} } }, waitSeconds: 0 });
      expect(expectKind(outcome, 'evaluated').evaluation).toMatchObject({ verdict: 'ASK', decidingPolicies: ['__ask_on_add_policy'] });
    }
  });
});
