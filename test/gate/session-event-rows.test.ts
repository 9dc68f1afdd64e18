import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { newSessionId } from '../../src/entities/id.ts';
import { eventsAfter, inboxEventsAfter, newsAfter, placeBeforePending } from '../../src/gate/session-event-rows.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

let test: TestGate;
beforeAll(async () => {
  test = await openTestGate();
});
afterAll(() => test.close());

// PostgreSQL plans by the size of the table; SQLite by its indexes alone.
describe.skipIf(inject('postgres') !== undefined)('looking for what is new', () => {
  const place = { transactionId: 0, position: 1_000_000 };

  it.each([
    ['of any session', (gate: ReturnType<TestGate['open']>) => newsAfter(gate, place)],
    ['of one session', (gate: ReturnType<TestGate['open']>) => eventsAfter(gate, place, { sessionId: newSessionId(), limit: 10 })],
    ['of the inbox', (gate: ReturnType<TestGate['open']>) => inboxEventsAfter(gate, place, { limit: 10 })],
    ['from what is pending on', placeBeforePending],
  ])('%s goes through no event that is older', async (_, look) => {
    const gate = test.open();
    const execute = vi.spyOn(gate.em.getConnection(), 'execute');
    await look(gate);
    const [sql, values = []] = execute.mock.calls[0] as [string, unknown[]?];
    execute.mockRestore();
    const plan = await gate.em.getConnection().execute<{ detail: string }[]>(`explain query plan ${sql}`, values);
    expect(plan.map(({ detail }) => detail).join()).not.toMatch(/SCAN session_event/);
    expect(plan.map(({ detail }) => detail).join()).toMatch(/SEARCH session_event/);
  });
});
