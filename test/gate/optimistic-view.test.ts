import { expect, it } from 'vitest';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { updateSession } from '../../src/gate/update-session.ts';
import { abstain, allow, defineHandler, deny } from '../../src/policy/index.ts';
import { attachPolicy, expectKind, startSession } from '../support/journey.ts';
import { openTestGate } from '../support/open-gate.ts';

/** `mark` sets the label that `use` needs, unless the session is locked. */
const markBeforeUse = defineHandler({
  name: 'test.mark_before_use',
  title: 'Mark before use',
  description: 'For this test.',
  phases: ['TOOL_CALL'],
  needs: ['labels'],
  judge({ event, facts: { labels } }) {
    if (event.target === 'mark') return labels['locked'] === 'yes' ? deny('The session is locked.') : allow({ setLabels: { marked: 'yes' } });
    if (event.target === 'use') return labels['marked'] === 'yes' ? abstain() : deny('Nothing is marked.');
    return abstain();
  },
});

it('allows nothing on the strength of a label that was never written', async () => {
  const test = await openTestGate({ handlers: [markBeforeUse] });
  try {
    for (let round = 0; round < 20; round += 1) {
      const session = await startSession(test.open());
      await attachPolicy(test.open(), session, { handler: 'test.mark_before_use' });
      const call = async (name: string) => expectKind(await evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name } } }), 'evaluated').evaluation;
      await call('warm up');

      const [, marked, used] = await Promise.all([updateSession(test.open(), { sessionId: session.id, labels: { locked: 'yes' } }), call('mark'), call('use')]);

      expect({ marked: marked.verdict, used: used.verdict }).not.toEqual({ marked: 'DENY', used: 'ALLOW' });
    }
  } finally {
    await test.close();
  }
});
