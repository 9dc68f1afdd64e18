import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ElicitationSchema, statusOf } from '../../src/entities/elicitation.entity.ts';
import type { Principal } from '../../src/entities/principal.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { resolveElicitations } from '../../src/gate/resolve-elicitations.ts';
import { expectKind, hold, pending, startAskingSession, stored } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

const person = (name: string): Principal => ({ kind: 'USER', id: `user-${name}`, name });

/** Lets the event loop turn a few times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

let test: TestGate;

beforeEach(async () => {
  test = await openTestGate();
});

afterEach(async () => {
  await test.close();
});

describe('invariant 3: one decision', () => {
  it('lets exactly one of twenty simultaneous resolutions win, and tells the others who did', async () => {
    const session = await startAskingSession(test.open());
    const { elicitation, answer } = await hold(test.open(), session);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        resolveElicitation(test.open({ principal: person(`p${index}`) }), { elicitationId: elicitation.id, action: index % 2 === 0 ? 'ACCEPT' : 'DECLINE' }),
      ),
    );
    const winners = outcomes.filter(({ kind }) => kind === 'resolved');
    expect(winners).toHaveLength(1);
    const row = await test.open().em.findOneOrFail(ElicitationSchema, { id: elicitation.id });
    for (const outcome of outcomes) {
      if (outcome.kind === 'resolved') continue;
      expect(expectKind(outcome, 'alreadyResolved').elicitation).toMatchObject({ action: row.action, resolvedBy: row.resolvedBy });
    }
    expect((await answer).verdict).toBe(row.action === 'ACCEPT' ? 'ALLOW' : 'DENY');
  });

  it('has one winner in 200 rounds of accept, decline and expiry at once, and the call answers what is stored', async () => {
    const session = await startAskingSession(test.open(), { agent: { askTimeoutSeconds: 1000 } });
    const fates = new Map<string, number>();
    for (let round = 0; round < 200; round += 1) {
      const { elicitation, answer } = await hold(test.open(), session);
      const rivals: (() => Promise<{ kind: string }>)[] = [
        () => resolveElicitation(test.open({ principal: person('one') }), { elicitationId: elicitation.id, action: 'ACCEPT' }),
        () => resolveElicitation(test.open({ principal: person('two') }), { elicitationId: elicitation.id, action: 'DECLINE' }),
        () => test.pass(1001).then(() => ({ kind: 'swept' as const })),
      ];
      const outcomes = await Promise.all(rivals.map((rival, index) => turns((round * (index + 3)) % 7).then(rival)));
      const won = outcomes.filter(({ kind }) => kind === 'resolved').length;
      const row = await test.open().em.findOneOrFail(ElicitationSchema, { id: elicitation.id });
      const fate = statusOf(row, test.open().now());
      expect(won).toBe(fate === 'EXPIRED' ? 0 : 1);
      const evaluation = await answer;
      expect(evaluation.verdict).toBe(fate === 'ACCEPTED' ? 'ALLOW' : 'DENY');
      expect(evaluation.decidedBy).toBe(fate === 'EXPIRED' ? 'EXPIRY' : 'PERSON');
      expect(await stored(test.open(), evaluation)).toMatchObject({ verdict: evaluation.verdict, decidedBy: evaluation.decidedBy, status: 'DECIDED' });
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
    }
    expect([...fates.keys()].sort()).toEqual(['ACCEPTED', 'DECLINED', 'EXPIRED']);
  });

  it('does not let an answer win that comes after the deadline, though nobody has settled the expiry yet', async () => {
    const session = await startAskingSession(test.open(), { agent: { askTimeoutSeconds: 60 } });
    const { elicitation } = await hold(test.open(), session);
    test.skip(61);
    const late = await resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT' });
    expect(expectKind(late, 'alreadyResolved').message).toContain('expired');
    expect(await test.open().em.findOneOrFail(ElicitationSchema, { id: elicitation.id })).toMatchObject({ action: null });
  });

  it('gives the same answer of the same person again, and no other', async () => {
    const session = await startAskingSession(test.open());
    const { elicitation } = await hold(test.open(), session);
    const again = () => resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT' });
    expectKind(await again(), 'resolved');
    expect(await again()).toMatchObject({ kind: 'resolved', elicitation: { id: elicitation.id, action: 'ACCEPT' } });
    expect(await resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'DECLINE' })).toMatchObject({ kind: 'alreadyResolved' });
    expect(await resolveElicitation(test.open({ principal: person('else') }), { elicitationId: elicitation.id, action: 'ACCEPT' })).toMatchObject({ kind: 'alreadyResolved' });
    const edited = { elicitationId: elicitation.id, action: 'ACCEPT', editedArguments: { command: 'pwd' } } as const;
    expect(await resolveElicitation(test.open(), edited)).toMatchObject({ kind: 'alreadyResolved' });
  });

  it('decides nothing on a digest that is not what was asked', async () => {
    const session = await startAskingSession(test.open());
    const { elicitation } = await hold(test.open(), session);
    expect(await resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT', expectedDigest: '0'.repeat(64) })).toMatchObject({ kind: 'staleElicitation' });
    expect(await pending(test.open(), session)).toHaveLength(1);
    expectKind(await resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT', expectedDigest: elicitation.digest }), 'resolved');
  });

  it('takes all of a bulk or none of it, and names what stood in the way', async () => {
    const session = await startAskingSession(test.open());
    const held = [await hold(test.open(), session), await hold(test.open(), session), await hold(test.open(), session)];
    const ids = held.map(({ elicitation }) => elicitation.id);
    const [first, second, third] = held;
    if (!first || !second || !third) throw new Error('Three are held.');
    expectKind(await resolveElicitation(test.open({ principal: person('early') }), { elicitationId: second.elicitation.id, action: 'DECLINE' }), 'resolved');
    const refused = expectKind(await resolveElicitations(test.open(), { ids, action: 'ACCEPT' }), 'alreadyResolved');
    expect(refused.message).toContain(second.elicitation.id);
    expect(await pending(test.open(), session)).toHaveLength(2);
    expect(await resolveElicitations(test.open(), { ids: [first.elicitation.id, 'elc_nothing'], action: 'ACCEPT' })).toMatchObject({ kind: 'notFound', id: 'elc_nothing' });
    expect(await pending(test.open(), session)).toHaveLength(2);
    const rest = [first.elicitation.id, third.elicitation.id];
    expect(expectKind(await resolveElicitations(test.open(), { ids: rest, action: 'ACCEPT' }), 'resolved').elicitations).toHaveLength(2);
    expect(await Promise.all(held.map(async ({ answer }) => (await answer).verdict))).toEqual(['ALLOW', 'DENY', 'ALLOW']);
  });

  it('undoes a whole bulk when the last of it is lost in the very moment', async () => {
    const long = await startAskingSession(test.open());
    const short = await startAskingSession(test.open(), { agent: { askTimeoutSeconds: 60 } });
    const held = [await hold(test.open(), long), await hold(test.open(), short)];
    const ids = held.map(({ elicitation }) => elicitation.id);
    const gate = test.open();
    const times = [gate.now(), new Date(gate.now().getTime() + 61_000)]; // in time when it is looked at, too late when it is decided
    const late = Object.create(gate, { now: { value: () => times.shift() ?? gate.now() } }) as typeof gate;
    expect(expectKind(await resolveElicitations(late, { ids, action: 'ACCEPT' }), 'alreadyResolved').message).toContain(ids[1]);
    const rows = await test.open().em.find(ElicitationSchema, { id: { $in: ids } });
    expect(rows.map(({ action }) => action ?? null)).toEqual([null, null]);
  });
});
