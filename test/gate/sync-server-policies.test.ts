import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PolicySchema } from '../../src/entities/policy.entity.ts';
import { SessionSchema } from '../../src/entities/session.entity.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { deletePolicy } from '../../src/gate/delete-policy.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { readServerLabelDefinitions } from '../../src/gate/label-definitions.ts';
import { syncServerPolicies } from '../../src/gate/sync-server-policies.ts';
import { updatePolicy } from '../../src/gate/update-policy.ts';
import { attachPolicy, expectKind, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;
beforeEach(async () => {
  test = await openTestGate({ settings: { labelDefinitions: readServerLabelDefinitions([{ key: 'env', initial: 'prod', values: ['prod', 'staging'] }]) } });
});
afterEach(() => test.close());

const sync = (...policies: unknown[]) => syncServerPolicies(test.open(), policies);
const stored = () => test.open().em.find(PolicySchema, { target: 'server' }, { orderBy: { id: 'asc' } });
const limit = (value: number) => ({ name: 'limit', handler: 'safety.max_tool_calls_per_session', params: { limit: value } });
const os = { name: 'os', handler: 'omnigent.policies.builtins.safety.ask_on_os_tools' };

describe('the policies of the configuration', () => {
  it('are stored in their order, and keep their ids while they change', async () => {
    await sync(os, limit(5));
    const [first, second] = await stored();
    expect([first?.handler, second?.params]).toEqual(['safety.ask_on_os_tools', { limit: 5 }]);
    await sync({ ...os, enabled: false, on: [{ phase: 'TOOL_CALL' }] }, limit(5));
    const [changed, unchanged] = await stored();
    expect(changed).toMatchObject({ id: first?.id, enabled: false, on: [{ phase: 'TOOL_CALL', toolName: null }] });
    expect(unchanged).toEqual(second);
  });

  it('are deleted with their lines, and only they', async () => {
    const made = expectKind(await createPolicy(test.open(), { target: { server: true }, name: 'made', handler: 'safety.ask_on_os_tools' }), 'created').policy;
    await sync(os);
    await sync();
    expect((await stored()).map(({ id }) => id)).toEqual([made.id]);
  });

  it('cannot be changed or deleted otherwise, and their names are taken', async () => {
    await sync(os);
    const [policy] = await stored();
    const policyId = policy?.id ?? '';
    expect(await updatePolicy(test.open(), { policyId, enabled: false })).toMatchObject({ kind: 'conflict', message: expect.stringContaining("comes from the server's configuration") });
    expect(await deletePolicy(test.open(), { policyId })).toMatchObject({ kind: 'conflict' });
    expect(await createPolicy(test.open(), { target: { server: true }, name: 'os', handler: 'safety.ask_on_os_tools' })).toMatchObject({ kind: 'conflict' });
    expect(await stored()).toEqual([policy]);
  });

  it.each([
    [[{ name: 'x' }], 'serverPolicies.0.handler '],
    [[os, { ...limit(1), params: { limit: 'many' } }], 'serverPolicies.1.params.limit Expected number, got string.'],
    [[{ ...os, handler: 'no.such' }], 'serverPolicies.0.handler must be a registered handler'],
    [[{ ...os, target: { server: true } }], 'serverPolicies.0'],
    [[os, os], 'serverPolicies.1.name is there twice'],
    [['os'], 'serverPolicies.0'],
    [[{ ...os, name: '__os' }], 'serverPolicies.0.name '],
  ])('stop the start where one is wrong, and change nothing: %j', async (policies, message) => {
    await sync(limit(1));
    const before = await stored();
    await expect(sync(...policies)).rejects.toThrow(expect.objectContaining({ name: 'ConfigFault', message: expect.stringContaining(message) }));
    expect(await stored()).toEqual(before);
  });

  it('stop the start where a policy of that name was made by hand, and name it', async () => {
    const made = expectKind(await createPolicy(test.open(), { target: { server: true }, name: 'os', handler: 'safety.ask_on_os_tools' }), 'created').policy;
    await expect(sync(limit(1), os)).rejects.toThrow(`serverPolicies.1.name is that of a policy which was made by createPolicy (${made.id})`);
    expect((await stored()).map(({ id }) => id)).toEqual([made.id]);
  });
});

describe('the label definitions of the configuration', () => {
  it("seed every session, before the agent's own", async () => {
    const session = await startSession(test.open(), { agent: { labelDefinitions: [{ key: 'env', initial: 'dev' }, { key: 'team', initial: 'a' }] }, labels: { other: 'x' } });
    expect(session.labels).toEqual({ env: 'prod', team: 'a', other: 'x' });
  });

  it('and those of the agent bind policies together: neither loosens the other', async () => {
    const written = async (values: string[] | undefined, value: string) => {
      const session = await startSession(test.open(), { agent: { name: `${values?.join('-')} ${value}`, labelDefinitions: [{ key: 'env', values }] } });
      await attachPolicy(test.open(), session, { handler: 'safety.fixed_action', params: { action: 'allow', set_labels: { env: value } } });
      const { evaluation } = expectKind(await evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name: 'x' } } }), 'evaluated');
      const [row] = await test.open().em.find(SessionSchema, { id: session.id });
      return [evaluation.verdict, row?.labels['env']];
    };
    expect(await written(['staging', 'dev'], 'staging')).toEqual(['ALLOW', 'staging']);
    expect(await written(['staging', 'dev'], 'dev')).toEqual(['ALLOW', 'prod']);
    expect(await written(['dev'], 'staging')).toEqual(['ALLOW', 'prod']);
    expect(await written(undefined, 'staging')).toEqual(['ALLOW', 'staging']);
    expect(await written(undefined, 'dev')).toEqual(['ALLOW', 'prod']);
  });

  it('are refused with their place', () => {
    expect(() => readServerLabelDefinitions([{ key: 'a' }, { key: '__b' }])).toThrow(/^labelDefinitions\.1\.key /);
    expect(() => readServerLabelDefinitions([{ key: 'a', initial: 'x', values: ['y'] }])).toThrow('labelDefinitions.0.initial must be one of the values');
  });
});
