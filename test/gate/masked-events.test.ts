import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { abstain, allow, ask, defineHandler, set } from '../../src/policy/index.ts';
import { attachPolicy, eventually, expectKind, hold, pending, startSession, stored } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

/** Asks once a session; from the accept on it allows what has no secret of this name. */
const once = defineHandler({
  name: 'test.once',
  title: 'Once',
  description: 'Asks once.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  judge: ({ event, facts }) => {
    if (event.type !== 'tool_call') return abstain();
    const isBad = event.data.arguments['password'] === 'bad-password';
    if (facts.state['once'] === true && !isBad) return allow();
    return ask('May it?', { stateUpdates: [set('once', true)] });
  },
});

const rewriting = defineHandler({
  name: 'test.rewriting',
  title: 'Rewrite',
  description: 'Puts another secret in the place of the given one.',
  phases: ['TOOL_CALL'],
  judge: ({ event }) => (event.type === 'tool_call' ? allow({ data: { name: event.data.name, arguments: { ...event.data.arguments, token: 'secret-of-the-policy' } } }) : abstain()),
});

let test: TestGate;
let session: Session;
beforeEach(async () => {
  test = await openTestGate({ handlers: [once, rewriting] });
  session = await startSession(test.open());
  await attachPolicy(test.open(), session, { name: 'once', handler: 'test.once' });
});
afterEach(() => test.close());

const call = (args: Record<string, string>, more: object = {}) => ({ sessionId: session.id, event: { toolCall: { name: 'Bash', arguments: args } }, ...more });
const accept = (elicitationId: string, input: object = {}) => resolveElicitation(test.open(), { elicitationId, action: 'ACCEPT', ...input });
const ticket = async (args: Record<string, string>, idempotencyKey: string) => expectKind(await evaluatePolicy(test.open(), call(args, { idempotencyKey, waitSeconds: 0 })), 'evaluated').evaluation;

describe('a call whose arguments hold a secret', () => {
  it('is known again by its real arguments: another secret is another event', async () => {
    await ticket({ password: 'one-password' }, 'key');
    expect(expectKind(await evaluatePolicy(test.open(), call({ password: 'one-password' }, { idempotencyKey: 'key', waitSeconds: 0 })), 'evaluated').evaluation.status).toBe('AWAITING_APPROVAL');
    expectKind(await evaluatePolicy(test.open(), call({ password: 'other-password' }, { idempotencyKey: 'key', waitSeconds: 0 })), 'idempotencyKeyReused');
    expect(await pending(test.open(), session)).toHaveLength(1);
  });

  it('is known again when it was stored before secrets were masked', async () => {
    const { id } = await ticket({ password: 'one-password' }, 'key');
    const event = { type: 'tool_call', target: 'Bash', data: { name: 'Bash', arguments: { password: 'one-password' } } } as const;
    await test.open().em.nativeUpdate(EvaluationSchema, { id }, { event, digest: null, maskedPaths: null });
    await test.open().em.nativeUpdate(ElicitationSchema, {}, { event, digest: 'a'.repeat(64), maskedPaths: null });
    await test.restart();
    expect((await ticket({ password: 'one-password' }, 'key')).id).toBe(id);
    const [elicitation] = await pending(test.open(), session);
    expectKind(await accept(elicitation?.id ?? '', { expectedDigest: 'a'.repeat(64), editedArguments: { password: 'edited' } }), 'resolved');
    expect(await ticket({ password: 'one-password' }, 'key')).toMatchObject({ verdict: 'ALLOW', data: { arguments: { password: 'edited' } } });
  });

  it('has different digests for different secrets, and neither is stored', async () => {
    const one = await hold(test.open(), session, call({ password: 'one-password' }));
    const other = await hold(test.open(), session, call({ password: 'other-password' }));
    expect(one.elicitation.event).toEqual(other.elicitation.event);
    expect(one.elicitation.digest).not.toBe(other.elicitation.digest);
  });

  it('is judged again with its secret when a sibling is accepted', async () => {
    const first = await hold(test.open(), session, call({ command: 'first' }));
    const good = await hold(test.open(), session, call({ password: 'good-password' }));
    const bad = await hold(test.open(), session, call({ password: 'bad-password' }));
    expectKind(await accept(first.elicitation.id), 'resolved');
    expect(await good.answer).toMatchObject({ verdict: 'ALLOW', decidedBy: 'POLICY' });
    expect((await pending(test.open(), session)).map(({ id }) => id)).toEqual([bad.elicitation.id]);
  });

  it('keeps asking when its secret is in memory no more: what is hidden is never allowed', async () => {
    const bad = await ticket({ password: 'bad-password' }, 'bad');
    await test.restart();
    const first = await hold(test.open(), session, call({ command: 'first' }));
    expectKind(await accept(first.elicitation.id), 'resolved');
    await first.answer;
    expect(await stored(test.open(), bad)).toMatchObject({ status: 'AWAITING_APPROVAL', verdict: 'ASK' });
  });

  it('is accepted after a restart, and its agent runs what it has', async () => {
    await ticket({ password: 'one-password' }, 'key');
    await test.restart();
    const [elicitation] = await pending(test.open(), session);
    expectKind(await accept(elicitation?.id ?? ''), 'resolved');
    expect(await ticket({ password: 'one-password' }, 'key')).toMatchObject({ verdict: 'ALLOW', data: null });
  });
});

describe('an edit of masked arguments', () => {
  it('means the secret where its mark still stands, and stores the mark', async () => {
    const held = await hold(test.open(), session, call({ command: 'login --password hunter2 --host a', password: 'one-password' }));
    const editedArguments = { command: 'login --password ******** --host b', password: '********' };
    expectKind(await accept(held.elicitation.id, { editedArguments }), 'resolved');
    expect((await held.answer).data).toEqual({ name: 'Bash', arguments: { command: 'login --password hunter2 --host b', password: 'one-password' } });
    expect((await stored(test.open(), await held.answer)).data).toEqual({ name: 'Bash', arguments: editedArguments });
    expectKind(await accept(held.elicitation.id, { editedArguments }), 'resolved'); // the same answer again
  });

  it.each([
    ['in another place', { command: 'echo ********', password: '********' }],
    ['twice in one text', { command: 'x --token ******** --password ******** y', password: '********' }],
  ])('is refused where a mark stands %s', async (_where, editedArguments) => {
    const held = await hold(test.open(), session, call({ command: 'x --token aaaa --password bbbb', password: 'one-password' }));
    const given = _where === 'in another place' ? { ...editedArguments, note: '********' } : editedArguments;
    expect(await accept(held.elicitation.id, { editedArguments: given })).toMatchObject({ kind: 'editRefused', policy: null });
    expect(await pending(test.open(), session)).toHaveLength(1);
    expectKind(await accept(held.elicitation.id), 'resolved');
    await held.answer;
  });

  it('is taken after a restart where it has no mark, and refused where it has one', async () => {
    await ticket({ password: 'one-password' }, 'key');
    await test.restart();
    const [elicitation] = await pending(test.open(), session);
    expect(await accept(elicitation?.id ?? '', { editedArguments: { password: '********' } })).toMatchObject({ kind: 'editRefused', issues: [{ path: ['editedArguments', 'password'] }] });
    expectKind(await accept(elicitation?.id ?? '', { editedArguments: { password: 'of-the-approver' } }), 'resolved');
    expect(await ticket({ password: 'one-password' }, 'key')).toMatchObject({ verdict: 'ALLOW', data: { arguments: { password: 'of-the-approver' } } });
  });
});

describe('an ALLOW whose data the server has only masked', () => {
  it('is never answered: the caller is told to call anew', async () => {
    await attachPolicy(test.open(), session, { name: 'rewriting', handler: 'test.rewriting' });
    const first = await hold(test.open(), session, call({ token: 'secret-of-the-agent' }, { idempotencyKey: 'key' }));
    expectKind(await accept(first.elicitation.id), 'resolved');
    expect((await first.answer).data).toEqual({ name: 'Bash', arguments: { token: 'secret-of-the-policy' } });
    expect((await stored(test.open(), await first.answer)).data).toEqual({ name: 'Bash', arguments: { token: '********' } });
    await test.restart();
    expectKind(await evaluatePolicy(test.open(), call({ token: 'secret-of-the-agent' }, { idempotencyKey: 'key' })), 'conflict');
    expect(await eventually(async () => (await stored(test.open(), await first.answer)).verdict)).toBe('ALLOW');
  });
});
