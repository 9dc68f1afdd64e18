import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../src/entities/session.entity.ts';
import { SessionSchema } from '../../src/entities/session.entity.ts';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { allow, ask, deny, increment } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, expectKind, hold, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

/** Asks for Bash with a write, denies `deny`, and lets all else pass with a write. */
const writing = defineHandler({
  name: 'test.writing',
  title: 'Writing',
  description: 'Writes state and labels with each opinion.',
  phases: ['TOOL_CALL'],
  judge: ({ event }) => {
    if (event.type !== 'tool_call') return allow();
    const effects = { stateUpdates: [increment(event.data.name, 1)], setLabels: { last: event.data.name } };
    if (event.data.name === 'Bash') return ask('may it?', effects);
    return event.data.name === 'deny' ? deny('no', effects) : allow(effects);
  },
});

const counting = defineHandler({
  name: 'test.counting',
  title: 'Counting',
  description: 'Allows and counts every call.',
  phases: ['TOOL_CALL'],
  judge: () => allow({ stateUpdates: [increment('calls', 1)] }),
});

const denying = defineHandler({ name: 'test.denying', title: 'Denying', description: 'Denies Bash.', phases: ['TOOL_CALL'], judge: () => deny('never') });

let test: TestGate;
let session: Session;

beforeEach(async () => {
  test = await openTestGate({ handlers: [writing, counting, denying] });
  session = await startSession(test.open());
  await attachPolicy(test.open(), session, { handler: 'test.writing', name: 'writing' });
  await attachPolicy(test.open(), session, { handler: 'test.counting', name: 'counting' });
});

afterEach(async () => {
  await test.close();
});

const row = () => test.open().em.findOneOrFail(SessionSchema, { id: session.id });
const call = (name: string) => evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name, arguments: {} } } });

describe('invariant 4: no trace of a refused ask', () => {
  it('writes nothing while an ask is pending, and applies everything on accept', async () => {
    const held = await hold(test.open(), session);
    expect(await row()).toMatchObject({ state: {}, labels: {} });
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW', decidedBy: 'PERSON' });
    expect(await row()).toMatchObject({ state: { Bash: 1, calls: 1 }, labels: { last: 'Bash' } });
  });

  it.each(['DECLINE', 'CANCEL'] as const)('writes nothing after %s', async (action) => {
    const held = await hold(test.open(), session);
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action }), 'resolved');
    await held.answer;
    expect(await row()).toMatchObject({ state: {}, labels: {} });
    expect(await test.open().em.count(EvaluationSchema, { withheld: { $ne: null } })).toBe(0);
  });

  it('writes nothing after an expiry', async () => {
    const held = await hold(test.open(), session);
    await test.pass(86_401);
    expect(await held.answer).toMatchObject({ decidedBy: 'EXPIRY' });
    expect(await row()).toMatchObject({ state: {}, labels: {} });
  });

  it('applies what was withheld to the state as it is at the accept, not as it was at the ask', async () => {
    const held = await hold(test.open(), session);
    for (let index = 0; index < 3; index += 1) expectKind(await call('web'), 'evaluated');
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect((await row()).state).toEqual({ web: 3, calls: 4, Bash: 1 });
  });

  it('loses no increment of a hundred calls at once, with accepts in between', async () => {
    const held = [await hold(test.open(), session), await hold(test.open(), session), await hold(test.open(), session)];
    await Promise.all([
      ...Array.from({ length: 100 }, () => call('web')),
      ...held.map(({ elicitation }) => resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT' })),
    ]);
    expect((await row()).state).toEqual({ web: 100, calls: 103, Bash: 3 });
  });

  it('lets the next call see what the last one wrote', async () => {
    await attachPolicy(test.open(), session, { handler: 'safety.max_tool_calls_per_session', name: 'limit', params: { limit: 2 } });
    const verdicts = (await Promise.all([call('web'), call('web'), call('web')])).map((outcome) => expectKind(outcome, 'evaluated').evaluation.verdict);
    expect(verdicts.toSorted()).toEqual(['ALLOW', 'ALLOW', 'DENY']);
  });

  it('applies the effects of a denial and of what allowed before it, never those of an asker', async () => {
    expectKind(await call('deny'), 'evaluated');
    expect(await row()).toMatchObject({ state: { deny: 1 }, labels: { last: 'deny' } });
    await attachPolicy(test.open(), session, { handler: 'test.denying', name: 'denying' });
    expect(expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated').evaluation).toMatchObject({ verdict: 'DENY', decidedBy: 'POLICY' });
    expect(await row()).toMatchObject({ state: { deny: 1, calls: 1 }, labels: { last: 'deny' } });
  });
});
