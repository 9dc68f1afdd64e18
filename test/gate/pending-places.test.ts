import { afterEach, describe, expect, it } from 'vitest';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { localUser } from '../../src/entities/principal.ts';
import { openCredentials } from '../../src/gate/credentials.ts';
import { createApiKey } from '../../src/gate/create-api-key.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { withdrawEvaluation } from '../../src/gate/withdraw-evaluation.ts';
import { bash, expectKind, pending, startAskingSession } from '../support/journey.ts';
import { breakWrites } from '../support/break-writes.ts';
import { openTestGate, type TestGate, type TestGateOptions } from '../support/open-gate.ts';

let test: TestGate;
afterEach(() => test.close());

async function open(limits: { pendingPerPrincipal: number; pendingTotal?: number }, options: TestGateOptions = {}): Promise<void> {
  test = await openTestGate({ ...options, settings: { limits: { pendingTotal: 1000, ...limits }, ...options.settings } });
}

/** What a new agent's key of this user may call with. */
async function agentOf(owner: string, name: string): Promise<Pick<Gate, 'principal' | 'access'>> {
  const { token } = expectKind(await createApiKey(test.open(), { role: 'AGENT', name, owner }), 'created');
  const credentials = openCredentials({ em: test.orm.em, now: test.open().now, allowSelfApproval: false, log: test.log });
  const identity = await credentials.find(token);
  await credentials.close();
  if (!identity) throw new Error('The key opens nothing.');
  return identity;
}

let commands = 0;

/** A ticket: it waits without a call that is held. */
async function ask(gate: Gate, session: Awaited<ReturnType<typeof startAskingSession>>, idempotencyKey?: string) {
  commands += 1;
  return evaluatePolicy(gate, bash(session, idempotencyKey ?? `ls ${commands}`, { waitSeconds: 0, idempotencyKey }));
}

describe('an ask beyond what its caller may have waiting', () => {
  it('is refused before anything is stored, and says the limit', async () => {
    await open({ pendingPerPrincipal: 2 });
    const session = await startAskingSession(test.open());
    expectKind(await ask(test.open(), session), 'evaluated');
    expectKind(await ask(test.open(), session), 'evaluated');
    expect(await ask(test.open(), session)).toEqual({ kind: 'tooManyPending', limit: 2, message: '2 of your calls wait for a decision already, which is the limit: try again when some are decided.' });
    expect(await test.open().em.count(EvaluationSchema)).toBe(2);
    expect(await pending(test.open(), session)).toHaveLength(2);
    expect(test.log.lines).toContainEqual({ level: 'warn', fields: { limit: 'limits.pendingPerPrincipal', principal: { kind: 'USER', id: 'local' }, times: 1 }, message: 'a limit was met' });
  });

  it('is refused however many come at once', async () => {
    await open({ pendingPerPrincipal: 10 });
    const sessions = await Promise.all(Array.from({ length: 5 }, () => startAskingSession(test.open())));
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(test.open(), sessions[index % 5] ?? sessions[0] as never)));
    expect(outcomes.filter(({ kind }) => kind === 'evaluated')).toHaveLength(10);
    expect(outcomes.filter(({ kind }) => kind === 'tooManyPending')).toHaveLength(90);
    expect(await test.open().em.count(EvaluationSchema)).toBe(10);
  });

  it('does not keep others from asking, until as many wait as the server holds', async () => {
    await open({ pendingPerPrincipal: 1, pendingTotal: 2 });
    const [ann, bob] = [test.open(await agentOf('ann', 'a')), test.open(await agentOf('bob', 'b'))];
    const [annsSession, bobsSession] = [await startAskingSession(ann), await startAskingSession(bob)];
    expectKind(await ask(ann, annsSession), 'evaluated');
    expect(await ask(ann, annsSession)).toMatchObject({ kind: 'tooManyPending', limit: 1 });
    expectKind(await ask(bob, bobsSession), 'evaluated');
    const third = await startAskingSession(test.open());
    expect(await ask(test.open(), third)).toEqual({ kind: 'tooManyPending', limit: 2, message: '2 calls wait for a decision already, which is the limit: try again when some are decided.' });
  });

  it('counts for the owner, whichever of his keys asks', async () => {
    await open({ pendingPerPrincipal: 1 });
    const [one, other] = [test.open(await agentOf('ann', 'one')), test.open(await agentOf('ann', 'other'))];
    const session = await startAskingSession(one);
    expectKind(await ask(one, session), 'evaluated');
    expect(await ask(other, session)).toMatchObject({ kind: 'tooManyPending', limit: 1 });
  });

  it('does not concern what is allowed, nor a call that comes back with its key', async () => {
    await open({ pendingPerPrincipal: 1 });
    const session = await startAskingSession(test.open());
    const first = expectKind(await ask(test.open(), session, 'k'), 'evaluated').evaluation;
    expect(await ask(test.open(), session)).toMatchObject({ kind: 'tooManyPending' });
    expect(expectKind(await ask(test.open(), session, 'k'), 'evaluated').evaluation.id).toBe(first.id);
    const allowed = await evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name: 'web_search' } } });
    expect(expectKind(allowed, 'evaluated').evaluation.verdict).toBe('ALLOW');
  });
});

describe('a place is free again', () => {
  it.each(['ACCEPT', 'DECLINE', 'CANCEL'] as const)('after %s', async (action) => {
    await open({ pendingPerPrincipal: 1 });
    const session = await startAskingSession(test.open());
    expectKind(await ask(test.open(), session), 'evaluated');
    const [elicitation] = await pending(test.open(), session);
    expectKind(await resolveElicitation(test.open(), { elicitationId: elicitation?.id ?? '', action }), 'resolved');
    expectKind(await ask(test.open(), session), 'evaluated');
    expect(await ask(test.open(), session)).toMatchObject({ kind: 'tooManyPending' });
  });

  it('after a withdrawal, an expiry and the end of the session', async () => {
    await open({ pendingPerPrincipal: 1 });
    const session = await startAskingSession(test.open(), { agent: { askTimeoutSeconds: 60 } });
    const { evaluation } = expectKind(await ask(test.open(), session), 'evaluated');
    await withdrawEvaluation(test.open(), { evaluationId: evaluation.id });
    expectKind(await ask(test.open(), session), 'evaluated');
    await test.pass(61);
    expectKind(await ask(test.open(), session), 'evaluated');
    await endSession(test.open(), { sessionId: session.id });
    expectKind(await ask(test.open(), await startAskingSession(test.open())), 'evaluated');
  });

  it('when the evaluation could not be stored', async () => {
    await open({ pendingPerPrincipal: 1 });
    const session = await startAskingSession(test.open());
    const mend = await breakWrites(test.orm, { on: 'insert', table: 'evaluation' });
    await expect(ask(test.open(), session)).rejects.toThrow();
    await mend();
    expectKind(await ask(test.open(), session), 'evaluated');
  });

  it('though the event that says so was lost, once the rows are read again', async () => {
    await open({ pendingPerPrincipal: 1 }, { events: (events) => ({ ...events, publish: async (topic, happening) => (happening.kind === 'evaluationDecided' ? undefined : events.publish(topic, happening)) }) });
    const session = await startAskingSession(test.open());
    const { evaluation } = expectKind(await ask(test.open(), session), 'evaluated');
    await withdrawEvaluation(test.open(), { evaluationId: evaluation.id });
    expect(await ask(test.open(), session)).toMatchObject({ kind: 'tooManyPending' });
    await test.pass(31);
    expectKind(await ask(test.open(), session), 'evaluated');
  });
});

describe('a restart', () => {
  it('forgets nobody who waits, and counts agents by who is behind them', async () => {
    await open({ pendingPerPrincipal: 2 });
    const ann = await agentOf('ann', 'a');
    const [annsSession, session] = [await startAskingSession(test.open(ann)), await startAskingSession(test.open())];
    await ask(test.open(ann), annsSession);
    await ask(test.open(ann), annsSession);
    await ask(test.open({ principal: localUser }), session);
    await test.restart();
    const other = await agentOf('ann', 'b');
    expect(await ask(test.open(other), annsSession)).toMatchObject({ kind: 'tooManyPending', limit: 2 });
    expectKind(await ask(test.open(), session), 'evaluated');
    expect(await ask(test.open(), session)).toMatchObject({ kind: 'tooManyPending', limit: 2 });
  });
});
