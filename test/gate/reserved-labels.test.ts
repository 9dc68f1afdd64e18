import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SessionSchema, type Session } from '../../src/entities/session.entity.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { allow, ask, deny } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, expectKind, hold, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';

const reserved = ['omnigent.turn_actor', 'omnigent.pinned.skill', 'cost_control.limit', 'countersign.owner', '__own'];

const labelling = defineHandler({
  name: 'test.labelling',
  title: 'Labelling',
  description: 'Wants labels of the server.',
  phases: ['TOOL_CALL'],
  params: z.object({ says: z.enum(['allow', 'ask', 'deny']) }),
  judge(_input, { says }) {
    const setLabels = Object.fromEntries([...reserved, 'team'].map((key) => [key, 'mine']));
    if (says === 'allow') return allow({ setLabels });
    return says === 'ask' ? ask('may it?', { setLabels }) : deny('no', { setLabels });
  },
});

let test: TestGate;
let session: Session;

beforeEach(async () => {
  test = await openTestGate({ handlers: [labelling] });
  session = await startSession(test.open(), { labels: { team: 'theirs' } });
});

afterEach(async () => {
  await test.close();
});

const labels = async () => (await test.open().em.findOneOrFail(SessionSchema, { id: session.id })).labels;

describe('labels of the server are not written by a policy', () => {
  it.each(['allow', 'deny'])('that says %s', async (says) => {
    await attachPolicy(test.open(), session, { handler: 'test.labelling', params: { says } });
    expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated');
    expect(await labels()).toEqual({ team: 'mine' });
  });

  it('that asks, and is accepted', async () => {
    await attachPolicy(test.open(), session, { handler: 'test.labelling', params: { says: 'ask' } });
    const { elicitation, answer } = await hold(test.open(), session);
    expectKind(await resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect((await answer).verdict).toBe('ALLOW');
    expect(await labels()).toEqual({ team: 'mine' });
  });

  it('that asks, and is accepted with an edit', async () => {
    await attachPolicy(test.open(), session, { handler: 'test.labelling', params: { says: 'ask' } });
    const { elicitation } = await hold(test.open(), session);
    expectKind(await resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT', editedArguments: { command: 'pwd' } }), 'resolved');
    expect(await labels()).toEqual({ team: 'mine' });
  });

  it('not even where it is said to be allowed to', async () => {
    const { em } = test.open();
    const policy = await attachPolicy(test.open(), session, { handler: 'test.labelling', params: { says: 'allow' }, writableLabels: ['team'] });
    await em.getConnection().execute(`update policy set writable_labels = '${JSON.stringify(reserved)}' where id = '${policy.id}'`);
    expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated');
    expect(await labels()).toEqual({ team: 'theirs' });
  });
});
