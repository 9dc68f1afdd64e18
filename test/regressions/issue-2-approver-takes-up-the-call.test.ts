import { TransactionBuilder } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Principal } from '../../src/entities/principal.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { resolveElicitations } from '../../src/gate/resolve-elicitations.ts';
import { bash, expectKind, hold, pending, startAskingSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';
import { createDatabase } from '../support/test-database.ts';

const principal = (id: string): Principal => ({ kind: 'AGENT_KEY', id, name: id });

/** Something happens just before the next transaction, after all that is looked up ahead of it. */
function beforeTransaction({ orm }: TestGate, happens: () => Promise<unknown>): void {
  const kysely = orm.em.getKysely();
  const begin = kysely.transaction.bind(kysely);
  vi.spyOn(kysely, 'transaction').mockImplementationOnce(() => {
    const transaction = begin();
    const execute: typeof transaction.execute = async (work) => {
      await happens();
      return TransactionBuilder.prototype.execute.call(transaction, work) as ReturnType<typeof work>;
    };
    return Object.assign(transaction, { execute });
  });
}

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate();
});

afterEach(async () => {
  await test.close();
});

describe('who takes up a call that another began', () => {
  it('evaluates on the session, and so cannot accept', async () => {
    const session = await startAskingSession(test.open());
    const call = bash(session, 'ls', { idempotencyKey: 'k' });
    const { elicitation } = await hold(test.open({ principal: principal('one') }), session, call);
    expectKind(await evaluatePolicy(test.open({ principal: principal('two') }), { ...call, waitSeconds: 0 }), 'evaluated');
    expectKind(await resolveElicitation(test.open({ principal: principal('two') }), { elicitationId: elicitation.id, action: 'ACCEPT' }), 'forbidden');
    expect(await pending(test.open(), session)).toHaveLength(1);
  });

  it.each(['alone', 'in bulk'])('cannot accept it %s either, when it takes it up in the very moment', async (how) => {
    const session = await startAskingSession(test.open());
    const call = bash(session, 'ls', { idempotencyKey: 'k' });
    const { elicitation } = await hold(test.open({ principal: principal('one') }), session, call);
    const gate = test.open({ principal: principal('two') });
    beforeTransaction(test, async () => {
      expectKind(await evaluatePolicy(test.open({ principal: principal('two') }), { ...call, waitSeconds: 0 }), 'evaluated');
    });
    const accepted = how === 'alone' ? await resolveElicitation(gate, { elicitationId: elicitation.id, action: 'ACCEPT' }) : await resolveElicitations(gate, { ids: [elicitation.id], action: 'ACCEPT' });
    expect(accepted.kind).toBe('forbidden');
    expect(await pending(test.open(), session)).toHaveLength(1);
  });

  it.each(['alone', 'in bulk'])('cannot accept it %s either, when another server has let it take the call up in the very moment', async (how) => {
    const database = await createDatabase({ isShared: true });
    const [here, there] = [await openTestGate({ database: database.url }), await openTestGate({ database: database.url })];
    try {
      const session = await startAskingSession(here.open());
      const call = bash(session, 'ls', { idempotencyKey: 'k' });
      const { elicitation } = await hold(here.open({ principal: principal('one') }), session, call);
      beforeTransaction(here, async () => {
        expectKind(await evaluatePolicy(there.open({ principal: principal('two') }), { ...call, waitSeconds: 0 }), 'evaluated');
      });
      const gate = here.open({ principal: principal('two') });
      const accepted = how === 'alone' ? await resolveElicitation(gate, { elicitationId: elicitation.id, action: 'ACCEPT' }) : await resolveElicitations(gate, { ids: [elicitation.id], action: 'ACCEPT' });
      expect(accepted.kind).toBe('forbidden');
      expect(await pending(here.open(), session)).toHaveLength(1);
    } finally {
      await Promise.all([here.close(), there.close()]);
      await database.remove();
    }
  });
});
