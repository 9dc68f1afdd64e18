import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { withdrawEvaluation } from '../../src/gate/withdraw-evaluation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { allow, ask, deny, set } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, eventually, expectKind, hold, pending, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

/** Asks once a session; whoever is accepted opens the door for all, or shuts it with `then: deny`. */
const once = defineHandler({
  name: 'test.once',
  title: 'Once',
  description: 'Asks until one call is accepted.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  params: z.object({ then: z.enum(['allow', 'deny']).default('allow'), checkpoint: z.string().optional() }),
  judge: ({ facts }, { then, checkpoint }) => {
    if (facts.state['opened'] === true) return then === 'allow' ? allow() : deny('Only one.');
    return ask('open the door?', { stateUpdates: [set('opened', true)], ...(checkpoint === undefined ? {} : { checkpoint }) });
  },
});

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate({ handlers: [once] });
});

afterEach(async () => {
  await test.close();
});

async function onceSession(params: Record<string, string>): Promise<Session> {
  const session = await startSession(test.open());
  await attachPolicy(test.open(), session, { handler: 'test.once', params });
  return session;
}

const accept = async (elicitationId: string) => expectKind(await resolveElicitation(test.open(), { elicitationId, action: 'ACCEPT' }), 'resolved');

describe('after an accept that wrote', () => {
  it('settles the siblings that no longer ask, and closes their elicitations without a second prompt', async () => {
    const session = await onceSession({});
    const held = [await hold(test.open(), session), await hold(test.open(), session), await hold(test.open(), session)];
    await accept(held[1]?.elicitation.id ?? '');
    const answers = await Promise.all(held.map(({ answer }) => answer));
    expect(answers.map(({ verdict, decidedBy }) => [verdict, decidedBy])).toEqual([
      ['ALLOW', 'POLICY'],
      ['ALLOW', 'PERSON'],
      ['ALLOW', 'POLICY'],
    ]);
    expect(await pending(test.open(), session)).toEqual([]);
    const closed = await test.open().em.find(ElicitationSchema, { action: 'CANCEL' });
    expect(closed.map(({ resolvedBy }) => resolvedBy?.kind)).toEqual(['SYSTEM', 'SYSTEM']);
  });

  it('denies the siblings that a policy now denies', async () => {
    const session = await onceSession({ then: 'deny' });
    const held = [await hold(test.open(), session), await hold(test.open(), session)];
    await accept(held[0]?.elicitation.id ?? '');
    expect(await held[1]?.answer).toMatchObject({ verdict: 'DENY', decidedBy: 'POLICY', reason: 'Only one.' });
  });

  it('leaves the siblings pending that still ask', async () => {
    const session = await onceSession({});
    await attachPolicy(test.open(), session, { name: 'os tools too' });
    const held = [await hold(test.open(), session), await hold(test.open(), session)];
    await accept(held[0]?.elicitation.id ?? '');
    expect((await pending(test.open(), session)).map(({ id }) => id)).toEqual([held[1]?.elicitation.id]);
  });

  it("does not touch another session's asks", async () => {
    const [one, other] = [await onceSession({}), await onceSession({})];
    const held = [await hold(test.open(), one), await hold(test.open(), other)];
    await accept(held[0]?.elicitation.id ?? '');
    expect(await pending(test.open(), other)).toHaveLength(1);
  });

  it('leaves siblings alone when a decline has written nothing', async () => {
    const session = await onceSession({});
    const held = [await hold(test.open(), session), await hold(test.open(), session)];
    expectKind(await resolveElicitation(test.open(), { elicitationId: held[0]?.elicitation.id ?? '', action: 'DECLINE' }), 'resolved');
    expect(await pending(test.open(), session)).toHaveLength(1);
  });
});

describe('asks with a checkpoint', () => {
  it('share one elicitation in their session, and one answer decides them all', async () => {
    const session = await onceSession({ checkpoint: 'door' });
    const calls = Array.from({ length: 10 }, (_, index) => evaluatePolicy(test.open(), bash(session, `ls ${index}`)));
    await eventually(async () => (await test.open().em.count(EvaluationSchema, { status: 'AWAITING_APPROVAL' })) === 10);
    const [elicitation, ...others] = await pending(test.open(), session);
    expect(others).toEqual([]);
    await accept(elicitation?.id ?? '');
    const answers = (await Promise.all(calls)).map((outcome) => expectKind(outcome, 'evaluated').evaluation);
    expect(answers.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 10 }, () => 'ALLOW'));
    expect(await test.open().em.count(ElicitationSchema)).toBe(1);
  });

  it('ask anew when the shared elicitation was declined', async () => {
    const session = await onceSession({ checkpoint: 'door' });
    const first = await hold(test.open(), session);
    expectKind(await resolveElicitation(test.open(), { elicitationId: first.elicitation.id, action: 'DECLINE' }), 'resolved');
    const second = await hold(test.open(), session);
    expect(second.elicitation.id).not.toBe(first.elicitation.id);
  });

  it('ask anew when the shared elicitation is overdue, though nobody has settled it yet', async () => {
    const session = await startSession(test.open(), { agent: { askTimeoutSeconds: 1 } });
    await attachPolicy(test.open(), session, { handler: 'test.once', params: { checkpoint: 'door' } });
    expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
    await new Promise((resolve) => setTimeout(resolve, 1050));
    const second = await hold(test.open(), session);
    expect(await test.open().em.count(ElicitationSchema)).toBe(2);
    await accept(second.elicitation.id);
    expect(await second.answer).toMatchObject({ verdict: 'ALLOW' });
  });

  it('cannot be edited while several calls wait for the one decision', async () => {
    const session = await onceSession({ checkpoint: 'door' });
    void evaluatePolicy(test.open(), bash(session, 'a'));
    void evaluatePolicy(test.open(), bash(session, 'b'));
    await eventually(async () => (await test.open().em.count(EvaluationSchema, { status: 'AWAITING_APPROVAL' })) === 2);
    const [elicitation] = await pending(test.open(), session);
    const edit = { elicitationId: elicitation?.id ?? '', action: 'ACCEPT', editedArguments: { command: 'c' } } as const;
    expect(await resolveElicitation(test.open(), edit)).toMatchObject({ kind: 'editRefused', policy: null });
  });

  it('keep their elicitation while one of the calls still waits, when another is withdrawn', async () => {
    const session = await onceSession({ checkpoint: 'door' });
    const [first, second] = ['a', 'b'].map((key) => evaluatePolicy(test.open(), bash(session, key, { idempotencyKey: key })));
    await eventually(async () => (await test.open().em.count(EvaluationSchema, { status: 'AWAITING_APPROVAL' })) === 2);
    expectKind(await withdrawEvaluation(test.open(), { sessionId: session.id, idempotencyKey: 'a' }), 'withdrawn');
    expect(await first).toMatchObject({ evaluation: { status: 'ABANDONED', verdict: 'DENY' } });
    const [elicitation] = await pending(test.open(), session);
    await accept(elicitation?.id ?? '');
    expect(await second).toMatchObject({ evaluation: { verdict: 'ALLOW' } });
  });
});
