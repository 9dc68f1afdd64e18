import { expect, it } from 'vitest';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { defineHandler, allow, increment, deny } from '../../src/policy/index.ts';
import { attachPolicy, expectKind, startSession } from '../support/journey.ts';
import { openTestGate } from '../support/open-gate.ts';

/** Takes its time, as a policy does on a large event. */
const slow = defineHandler({
  name: 'test.slow',
  title: 'Slow',
  description: 'For this test.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  judge({ facts: { state } }) {
    const until = performance.now() + 6;
    while (performance.now() < until);
    return (state['count'] ?? 0) === 0 ? allow({ stateUpdates: [increment('count', 1)] }) : deny('There was a call already.');
  },
});

it('lets others run between the policies of a slow pass, and none of its calls judge by what was before another', async () => {
  const test = await openTestGate({ handlers: [slow] });
  try {
    const session = await startSession(test.open());
    for (let index = 0; index < 12; index += 1) await attachPolicy(test.open(), session, { handler: 'test.slow', name: `slow ${index}` });
    const call = async () => expectKind(await evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name: 'x' } } }), 'evaluated').evaluation.verdict;
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);

    const verdicts = await Promise.all([call(), call()]);

    clearInterval(ticking);
    expect(turns).toBeGreaterThan(3);
    expect(verdicts.sort()).toEqual(['ALLOW', 'DENY']);
  } finally {
    await test.close();
  }
});
