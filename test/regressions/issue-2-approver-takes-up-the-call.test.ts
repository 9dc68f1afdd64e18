import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../src/entities/principal.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { resolveElicitations } from '../../src/gate/resolve-elicitations.ts';
import { bash, expectKind, hold, pending, startAskingSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

const principal = (id: string): Principal => ({ kind: 'AGENT_KEY', id, name: id });

/** A gate on which something happens just before the first transaction, after all that is looked up ahead of it. */
function beforeTransaction(gate: Gate, happens: () => Promise<unknown>): Gate {
  let isFirst = true;
  const get = () => {
    const { em } = gate;
    const transactional: typeof em.transactional = async (...args) => {
      if (isFirst) {
        isFirst = false;
        await happens();
      }
      return Object.getPrototypeOf(em).transactional.apply(em, args);
    };
    return Object.assign(em, { transactional });
  };
  return Object.create(gate, { em: { get } }) as Gate;
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
    const gate = beforeTransaction(test.open({ principal: principal('two') }), async () => {
      expectKind(await evaluatePolicy(test.open({ principal: principal('two') }), { ...call, waitSeconds: 0 }), 'evaluated');
    });
    const accepted = how === 'alone' ? await resolveElicitation(gate, { elicitationId: elicitation.id, action: 'ACCEPT' }) : await resolveElicitations(gate, { ids: [elicitation.id], action: 'ACCEPT' });
    expect(accepted.kind).toBe('forbidden');
    expect(await pending(test.open(), session)).toHaveLength(1);
  });
});
