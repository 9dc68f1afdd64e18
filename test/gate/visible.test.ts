import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentSchema } from '../../src/entities/agent.entity.ts';
import type { Principal } from '../../src/entities/principal.ts';
import { SessionSchema } from '../../src/entities/session.entity.ts';
import { fits, fullAccess, type Access } from '../../src/gate/access.ts';
import { readVisible } from '../../src/gate/read-visible.ts';
import { filters, seesSession, visible } from '../../src/gate/visible.ts';
import { startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

const names = ['bot', 'Bot', 'deploy bot', 'deploy [x] bot', 'a?b', 'aXb', 'ä*', "o'neil", '%', '_'];
const [ann, bob, eve] = (['ann', 'bob', "e'v"] as const).map((id): Principal => ({ kind: 'USER', id, name: id })) as [Principal, Principal, Principal];

let test: TestGate;
beforeAll(async () => {
  test = await openTestGate();
  for (const [index, name] of names.entries()) await startSession(test.open({ principal: index % 3 === 0 ? ann : index % 3 === 1 ? bob : eve }), { agent: { name } });
});
afterAll(() => test.close());

describe('what a caller sees', () => {
  it('is the same for a session in hand and for the database, by either way to it, whatever the reach', async () => {
    const pattern = fc.oneof(fc.constantFrom(...names), fc.array(fc.constantFrom(...Array.from("botBdely *?[]%_'xaXä")), { maxLength: 6 }).map((parts) => parts.join('')));
    const arbitrary = fc.record({ agents: fc.option(fc.array(pattern, { maxLength: 3 })), ownSessionsOnly: fc.boolean(), owner: fc.constantFrom(ann, bob, eve) });
    const sessions = await test.open().em.find(SessionSchema, {});
    const agents = new Map((await test.open().em.find(AgentSchema, {})).map(({ id, name }) => [id, name]));
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ owner, ...reach }) => {
        const access: Access = { ...fullAccess(owner), reach };
        const gate = test.open({ access });
        const found = await gate.em.find(SessionSchema, { $and: filters(visible.sessions(gate)) });
        const read = await readVisible(gate, SessionSchema, { ids: sessions.map(({ id }) => id), conditions: visible.sessions(gate) });
        const seen = sessions.filter((session) => seesSession(access, { owner: session.owner, agentName: agents.get(session.agent) ?? '' }));
        expect(read.map(({ id }) => id).toSorted()).toEqual(seen.map(({ id }) => id).toSorted());
        expect(found.map(({ id }) => id).toSorted()).toEqual(seen.map(({ id }) => id).toSorted());
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});

describe('a pattern', () => {
  it.each([
    ['bot', 'bot', true],
    ['bot', 'bo', false],
    ['Bot', 'bot', false],
    ['deploy bot', 'deploy *', true],
    ['deploy bot', '*bot', true],
    ['deploy bot', '*oy*b*', true],
    ['ab', 'ab*b', false],
    ['abab', 'ab*ab', true],
    ['', '*', true],
    ['x', '', false],
    ['a.b', 'a?b', false],
  ])('fits %j to %j: %s', (name, pattern, wanted) => {
    expect(fits(name, pattern)).toBe(wanted);
  });

  it('is soon told not to fit, however many stars it has', () => {
    const since = performance.now();
    expect(fits(`${'a'.repeat(100_000)}b`, `${'a*'.repeat(1000)}c`)).toBe(false);
    expect(performance.now() - since).toBeLessThan(1000);
  });
});
