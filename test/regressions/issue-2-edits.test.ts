import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import type { Principal } from '../../src/entities/principal.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { withdrawEvaluation } from '../../src/gate/withdraw-evaluation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { ask } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, eventually, expectKind, hold, startAskingSession, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

const agentKey: Principal = { kind: 'AGENT_KEY', id: 'key-agent', name: 'The agent' };
const approver: Principal = { kind: 'USER', id: 'user-approver', name: 'The approver' };

/** Asks of one session share one elicitation. */
const shared = defineHandler({
  name: 'test.shared',
  title: 'Shared',
  description: 'Asks once for all that waits.',
  phases: ['TOOL_CALL'],
  params: z.object({}),
  judge: () => ask('all of it?', { checkpoint: 'all' }),
});

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate({ handlers: [shared] });
});

afterEach(async () => {
  await test.close();
});

describe('an edit by the approver', () => {
  it('is accepted while an evaluation of the session is being committed', async () => {
    const session = await startAskingSession(test.open());
    const held = await hold(test.open(), session);
    const [resolved, evaluated] = await Promise.all([
      resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT', editedArguments: { command: 'pwd' } }),
      evaluatePolicy(test.open({ principal: agentKey }), { sessionId: session.id, event: { request: { content: 'hello' } } }),
    ]);
    expectKind(resolved, 'resolved');
    expectKind(evaluated, 'evaluated');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW', data: { name: 'Bash', arguments: { command: 'pwd' } } });
  });

  it('that comes at the same time as another answer is told that this one has won', async () => {
    const session = await startAskingSession(test.open());
    for (let round = 0; round < 20; round += 1) {
      const { elicitation, answer } = await hold(test.open(), session);
      const [edit, other] = await Promise.all([
        resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT', editedArguments: { command: 'pwd' } }),
        resolveElicitation(test.open({ principal: approver }), { elicitationId: elicitation.id, action: 'DECLINE' }),
      ]);
      expect([edit.kind, other.kind].sort()).toEqual(['alreadyResolved', 'resolved']);
      expect((await answer).verdict).toBe(edit.kind === 'resolved' ? 'ALLOW' : 'DENY');
    }
  });

  it('is refused when the call that it edits waits no more, though another waits for the same decision', async () => {
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { handler: 'test.shared' });
    const { elicitation } = await hold(test.open(), session, bash(session, 'first', { idempotencyKey: 'first' }));
    const second = evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name: 'Write', arguments: { path: 'second' } } } });
    await eventually(async () => (await test.open().em.count(EvaluationSchema, { status: 'AWAITING_APPROVAL' })) === 2);
    expectKind(await withdrawEvaluation(test.open(), { sessionId: session.id, idempotencyKey: 'first' }), 'withdrawn');
    const elicitationId = elicitation.id;
    expect(await resolveElicitation(test.open(), { elicitationId, action: 'ACCEPT', editedArguments: { command: 'pwd' } })).toMatchObject({ kind: 'editRefused', policy: null });
    expectKind(await resolveElicitation(test.open(), { elicitationId, action: 'ACCEPT' }), 'resolved');
    expect(expectKind(await second, 'evaluated').evaluation).toMatchObject({ verdict: 'ALLOW', data: null });
  });
});
