import canonicalize from 'canonicalize';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { SessionSchema, type Session } from '../../src/entities/session.entity.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { allow, ask, deny, increment } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, expectKind, hold, pending, startAskingSession } from '../support/journey.ts';
import { openTestGate, testSecretKey, type TestGate } from '../support/open-gate.ts';

/** Denies a command with `rm`, asks for one with `curl`, redacts one with `token`. */
const careful = defineHandler({
  name: 'test.careful',
  title: 'Careful',
  description: 'Looks at the command.',
  phases: ['TOOL_CALL'],
  judge: ({ event }) => {
    const command = event.type === 'tool_call' ? JSON.stringify(event.data.arguments['command']).slice(1, -1) : '';
    if (command.includes('rm')) return deny('No rm.');
    if (command.includes('curl')) return ask('May it use the network?');
    if (command.includes('token')) return allow({ data: { name: 'Bash', arguments: { command: command.replace('token', '***') } } });
    return allow({ stateUpdates: [increment('careful', 1)] });
  },
});

let test: TestGate;
let session: Session;

beforeEach(async () => {
  test = await openTestGate({ handlers: [careful] });
  session = await startAskingSession(test.open());
  await attachPolicy(test.open(), session, { handler: 'test.careful', name: 'careful' });
});

afterEach(async () => {
  await test.close();
});

const resolve = (elicitationId: string, input: object = {}) => resolveElicitation(test.open(), { elicitationId, action: 'ACCEPT', ...input });

describe('invariant 7: the approver sees what runs', () => {
  it('shows the whole event, and a digest of session, phase and event that only the server can compute', async () => {
    const { elicitation } = await hold(test.open(), session, bash(session, 'ls é 🎉'));
    expect(elicitation.event).toEqual({ type: 'tool_call', target: 'Bash', data: { name: 'Bash', arguments: { command: 'ls é 🎉' } } });
    const canonical = canonicalize({ session: session.id, phase: 'TOOL_CALL', event: elicitation.event }) ?? '';
    expect(elicitation.digest).toBe(createHmac('sha256', testSecretKey).update(canonical).digest('hex'));
  });

  it('allows exactly the stored event: a call with the key of another event is refused', async () => {
    const held = await hold(test.open(), session, bash(session, 'ls', { idempotencyKey: 'key' }));
    expectKind(await resolve(held.elicitation.id), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW', data: null });
    const other = await evaluatePolicy(test.open(), bash(session, 'rm -rf /', { idempotencyKey: 'key' }));
    expect(expectKind(other, 'idempotencyKeyReused').evaluation.id).toBe((await held.answer).id);
  });

  it('hands the edited arguments to the agent in data, once every policy has judged them', async () => {
    const held = await hold(test.open(), session, bash(session, 'ls /'));
    expectKind(await resolve(held.elicitation.id, { editedArguments: { command: 'ls ./' } }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW', decidedBy: 'PERSON', data: { name: 'Bash', arguments: { command: 'ls ./' } } });
    expect((await held.answer).event).toMatchObject({ data: { arguments: { command: 'ls /' } } });
    expect(await test.open().em.findOneOrFail(ElicitationSchema, { id: held.elicitation.id })).toMatchObject({ editedArguments: { command: 'ls ./' } });
  });

  it('refuses an edit that a policy denies, names the policy, and stays pending', async () => {
    const held = await hold(test.open(), session);
    const refused = expectKind(await resolve(held.elicitation.id, { editedArguments: { command: 'rm x' } }), 'editRefused');
    expect(refused).toMatchObject({ policy: 'careful', message: expect.stringContaining('No rm.') });
    expect(await pending(test.open(), session)).toHaveLength(1);
    expectKind(await resolve(held.elicitation.id), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW', data: null });
  });

  it('refuses an edit that raises a question which was not asked', async () => {
    const held = await hold(test.open(), session);
    expect(await resolve(held.elicitation.id, { editedArguments: { command: 'curl x' } })).toMatchObject({ kind: 'editRefused', policy: 'careful' });
    expect(await pending(test.open(), session)).toHaveLength(1);
  });

  it('keeps what a policy rewrites: in a plain accept and in an edit', async () => {
    const plain = await hold(test.open(), session, bash(session, 'echo token'));
    expectKind(await resolve(plain.elicitation.id), 'resolved');
    expect((await plain.answer).data).toEqual({ name: 'Bash', arguments: { command: 'echo ***' } });
    const edited = await hold(test.open(), session, bash(session, 'echo'));
    expectKind(await resolve(edited.elicitation.id, { editedArguments: { command: 'echo token' } }), 'resolved');
    expect((await edited.answer).data).toEqual({ name: 'Bash', arguments: { command: 'echo ***' } });
  });

  it('writes what the edited call writes, not what the original would have', async () => {
    const held = await hold(test.open(), session, bash(session, 'echo token'));
    expectKind(await resolve(held.elicitation.id, { editedArguments: { command: 'echo' } }), 'resolved');
    await held.answer;
    expect((await test.open().em.findOneOrFail(SessionSchema, { id: session.id })).state).toEqual({ careful: 1 });
  });

  it('takes edits with an accept of a tool call only', async () => {
    const held = await hold(test.open(), session);
    expect(await resolve(held.elicitation.id, { action: 'DECLINE', editedArguments: {} })).toMatchObject({ kind: 'invalidInput', issues: [{ path: ['editedArguments'] }] });
    expect(await pending(test.open(), session)).toHaveLength(1);
  });

  it('makes visible what would deceive the approver', async () => {
    const { elicitation } = await hold(test.open(), session, bash(session, 'echo \u202Eevil\u202C \u200B \u0007 \u00AD \u{E0041}'));
    expect(elicitation.contentPreview).toContain('\\u{202e}evil\\u{202c}');
    expect(elicitation.contentPreview).not.toMatch(/[\u202A-\u202E\u200B\u0007\u00AD]/u);
    expect(elicitation.message).not.toMatch(/[\u202A-\u202E\u200B\u0007\u00AD]/u);
  });

  it('marks a preview that is cut, at 1,024 characters', async () => {
    const { elicitation } = await hold(test.open(), session, bash(session, '🎉'.repeat(2000)));
    expect(elicitation.contentPreview.length).toBeLessThanOrEqual(1024);
    expect(elicitation.contentPreview.endsWith('…')).toBe(true);
    expect(elicitation.contentPreview.isWellFormed()).toBe(true);
  });
});
