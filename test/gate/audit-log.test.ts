import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AuditEntrySchema, type AuditEntry } from '../../src/entities/audit-entry.entity.ts';
import { localUser, type Principal } from '../../src/entities/principal.ts';
import { fullAccess } from '../../src/gate/access.ts';
import { createSigner } from '../../src/gate/checkpoint.ts';
import { createAgent } from '../../src/gate/create-agent.ts';
import { createApiKey } from '../../src/gate/create-api-key.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { deletePolicy } from '../../src/gate/delete-policy.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { revokeApiKey } from '../../src/gate/revoke-api-key.ts';
import { syncServerPolicies } from '../../src/gate/sync-server-policies.ts';
import { updateAgent } from '../../src/gate/update-agent.ts';
import { updatePolicy } from '../../src/gate/update-policy.ts';
import { updateSession } from '../../src/gate/update-session.ts';
import { verifyAuditLog } from '../../src/gate/verify-audit-log.ts';
import { withdrawEvaluation } from '../../src/gate/withdraw-evaluation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { allow, ask, set } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, expectKind, hold, pending, startAskingSession, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

/** Asks until one call is accepted. */
const once = defineHandler({
  name: 'test.once',
  title: 'Once',
  description: 'Asks until one call is accepted.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  params: z.object({ checkpoint: z.string().optional() }),
  judge: ({ facts }, { checkpoint }) => (facts.state['opened'] === true ? allow() : ask('open the door?', { stateUpdates: [set('opened', true)], ...(checkpoint === undefined ? {} : { checkpoint }) })),
});

let test: TestGate;
beforeEach(async () => {
  test = await openTestGate({ handlers: [once] });
});
afterEach(async () => {
  expect(await verdict()).toMatchObject({ kind: 'intact' });
  await test.close();
});

const verdict = () => verifyAuditLog(test.orm.em, { checkpoints: [], signer: createSigner('of the test') });
const entries = () => test.open().em.find(AuditEntrySchema, {}, { orderBy: { sequence: 'asc' } });
const ann: Principal = { kind: 'USER', id: 'ann', name: 'Ann' };
const asAnn = () => test.open({ principal: ann, access: { ...fullAccess(ann), acceptsOwn: false } });

/** What was appended since. */
async function since(count: number): Promise<AuditEntry[]> {
  return (await entries()).slice(count);
}

describe('the audit log', () => {
  it('records what an ask and its answer were, in order, and who gave it', async () => {
    const session = await startAskingSession(test.open());
    const before = (await entries()).length;
    const held = await hold(test.open(), session);
    const [elicitation] = await pending(test.open(), session);
    await resolveElicitation(asAnn(), { elicitationId: elicitation?.id ?? '', action: 'ACCEPT', comment: 'fine', editedArguments: { command: 'ls -l' } });
    const evaluation = await held.answer;
    const [asked, resolved, ...others] = await since(before);
    expect(others).toEqual([]);
    expect(asked).toMatchObject({ action: 'ELICITATION_REQUESTED', actor: localUser, subject: elicitation?.id, after: { evaluation: evaluation.id, session: session.id, digest: elicitation?.digest, message: elicitation?.message, expiresAt: elicitation?.expiresAt.toISOString() } });
    expect(resolved).toMatchObject({ action: 'ELICITATION_RESOLVED', actor: ann, subject: elicitation?.id, before: null, after: { action: 'ACCEPT', comment: 'fine', editedArguments: { command: 'ls -l' }, content: null, digest: elicitation?.digest } });
    expect(resolved?.after).not.toHaveProperty('ownApproval');
  });

  it('says of each acceptance by someone who evaluates there that it is one', async () => {
    const session = await startAskingSession(test.open());
    const held = await hold(test.open(), session);
    const [elicitation] = await pending(test.open(), session);
    await resolveElicitation(test.open(), { elicitationId: elicitation?.id ?? '', action: 'ACCEPT' });
    await held.answer;
    expect((await entries()).at(-1)).toMatchObject({ action: 'ELICITATION_RESOLVED', after: { action: 'ACCEPT', ownApproval: true } });
  });

  it('records expiries, withdrawals and the end of a session', async () => {
    const session = await startAskingSession(test.open());
    const before = (await entries()).length;
    const first = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated').evaluation;
    await test.pass(100_000);
    const second = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated').evaluation;
    await withdrawEvaluation(test.open(), { evaluationId: second.id });
    const third = expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated').evaluation;
    await endSession(asAnn(), { sessionId: session.id });
    await endSession(asAnn(), { sessionId: session.id });
    expect((await since(before)).map(({ action, subject, actor }) => [action, subject, actor.id])).toEqual([
      ['ELICITATION_REQUESTED', first.elicitation, 'local'],
      ['ELICITATION_EXPIRED', first.elicitation, 'system'],
      ['ELICITATION_REQUESTED', second.elicitation, 'local'],
      ['EVALUATION_ABANDONED', second.id, 'local'],
      ['ELICITATION_RESOLVED', second.elicitation, 'local'],
      ['ELICITATION_REQUESTED', third.elicitation, 'local'],
      ['SESSION_ENDED', session.id, 'ann'],
      ['ELICITATION_RESOLVED', third.elicitation, 'ann'],
    ]);
  });

  it('records who joined an ask, and what another approval has settled', async () => {
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { name: 'shared', handler: 'test.once', params: { checkpoint: 'door' }, on: [{ phase: 'TOOL_CALL', toolName: 'Bash' }] });
    await attachPolicy(test.open(), session, { name: 'own', handler: 'test.once', params: {}, on: [{ phase: 'TOOL_CALL', toolName: 'Write' }] });
    const ask = async (name: string) => expectKind(await evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name } }, waitSeconds: 0 }), 'evaluated').evaluation;
    const before = (await entries()).length;
    const [first, second, other] = [await ask('Bash'), await ask('Bash'), await ask('Write')];
    await resolveElicitation(asAnn(), { elicitationId: first.elicitation ?? '', action: 'ACCEPT' });
    expect((await since(before)).map(({ action, subject, after }) => [action, subject, after])).toMatchObject([
      ['ELICITATION_REQUESTED', first.elicitation, { evaluation: first.id }],
      ['ELICITATION_JOINED', first.elicitation, { evaluation: second.id }],
      ['ELICITATION_REQUESTED', other.elicitation, { evaluation: other.id }],
      ['ELICITATION_RESOLVED', first.elicitation, { action: 'ACCEPT' }],
      ['EVALUATION_SETTLED_BY_POLICY', other.id, { elicitation: other.elicitation, verdict: 'ALLOW' }],
      ['ELICITATION_RESOLVED', other.elicitation, { action: 'CANCEL' }],
    ]);
  });

  it('records each change of policies, agents, sessions and keys with what was before, and no credential', async () => {
    const { agent } = expectKind(await createAgent(asAnn(), { name: 'coder' }), 'created');
    await updateAgent(asAnn(), { agentId: agent.id, description: 'writes code' });
    const session = await startSession(test.open());
    await updateSession(asAnn(), { sessionId: session.id, labels: { env: 'prod' } });
    const { policy } = expectKind(await createPolicy(asAnn(), { target: { agentId: agent.id }, name: 'os', handler: 'safety.ask_on_os_tools' }), 'created');
    await updatePolicy(asAnn(), { policyId: policy.id, enabled: false });
    await deletePolicy(asAnn(), { policyId: policy.id });
    const { key, token } = expectKind(await createApiKey(asAnn(), { name: 'bot', role: 'AGENT' }), 'created');
    await revokeApiKey(asAnn(), { keyId: key.id });
    await revokeApiKey(asAnn(), { keyId: key.id });
    await syncServerPolicies(test.open(), [{ name: 'limit', handler: 'safety.max_tool_calls_per_session' }]);
    await syncServerPolicies(test.open(), [{ name: 'limit', handler: 'safety.max_tool_calls_per_session', enabled: false }]);
    await syncServerPolicies(test.open(), []);
    const all = await entries();
    const of = (action: AuditEntry['action'], actor: string) => all.filter((entry) => entry.action === action && entry.actor.id === actor).map(({ subject, before, after }) => ({ subject, before, after }));
    expect(of('AGENT_CREATED', 'ann')).toMatchObject([{ subject: agent.id, before: null, after: { name: 'coder', description: null } }]);
    expect(of('AGENT_UPDATED', 'ann')).toMatchObject([{ subject: agent.id, before: { description: null }, after: { description: 'writes code' } }]);
    expect(of('SESSION_UPDATED', 'ann')).toMatchObject([{ subject: session.id, before: { labels: {} }, after: { labels: { env: 'prod' } } }]);
    expect(of('POLICY_CREATED', 'ann')).toMatchObject([{ subject: policy.id, before: null, after: { name: 'os', enabled: true, handler: 'safety.ask_on_os_tools', target: agent.id } }]);
    expect(of('POLICY_UPDATED', 'ann')).toMatchObject([{ subject: policy.id, before: { enabled: true }, after: { enabled: false } }]);
    expect(of('POLICY_DELETED', 'ann')).toMatchObject([{ subject: policy.id, before: { enabled: false }, after: null }]);
    expect(of('API_KEY_CREATED', 'ann')).toMatchObject([{ subject: key.id, after: { name: 'bot', role: 'AGENT', owner: { id: 'bot' } } }]);
    expect(of('API_KEY_REVOKED', 'ann')).toHaveLength(1);
    expect(['POLICY_CREATED', 'POLICY_UPDATED', 'POLICY_DELETED'].map((action) => of(action as AuditEntry['action'], 'configuration').length)).toEqual([1, 1, 1]);
    expect(JSON.stringify(all)).not.toContain(token);
    expect(JSON.stringify(all)).not.toContain(key.hash);
  });

  it('records nothing of what did not happen', async () => {
    const session = await startAskingSession(test.open());
    const before = (await entries()).length;
    const policy = { target: { sessionId: session.id }, name: 'os tools', handler: 'safety.ask_on_os_tools' };
    expectKind(await createPolicy(test.open(), policy), 'conflict');
    expectKind(await createApiKey(test.open(), { name: '', role: 'AGENT' }), 'invalidInput');
    expectKind(await deletePolicy(test.open(), { policyId: 'pol_unknown' }), 'notFound');
    expect(await since(before)).toEqual([]);
  });

  it('is one chain without a gap, whatever happens at once', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, () => startAskingSession(test.open())));
    const asks = sessions.flatMap((session) => Array.from({ length: 5 }, (_, index) => evaluatePolicy(test.open(), bash(session, `ls ${index}`, { waitSeconds: 0 }))));
    const keys = Array.from({ length: 20 }, (_, index) => createApiKey(test.open(), { name: `key ${index}`, role: 'VIEWER' }));
    const evaluations = (await Promise.all([...asks, Promise.all(keys)])).flatMap((outcome) => (Array.isArray(outcome) ? [] : [expectKind(outcome, 'evaluated').evaluation]));
    await Promise.all([...new Set(evaluations.map(({ elicitation }) => elicitation ?? ''))].map((elicitationId) => resolveElicitation(asAnn(), { elicitationId, action: 'DECLINE' })));
    const all = await entries();
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
    expect(all.filter(({ action }) => action === 'ELICITATION_RESOLVED')).toHaveLength(new Set(evaluations.map(({ elicitation }) => elicitation)).size);
    expect(all.filter(({ action }) => action === 'API_KEY_CREATED')).toHaveLength(20);
  });
});
