import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { SessionSchema, type Session } from '../../src/entities/session.entity.ts';
import { deletePolicy } from '../../src/gate/delete-policy.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { previewEvaluation } from '../../src/gate/preview-evaluation.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { defineHandler } from '../../src/policy/handler.ts';
import { abstain, allow, ask, deny, increment } from '../../src/policy/verdict.ts';
import { attachPolicy, bash, eventually, expectKind, hold, pending, startSession, stored } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';
import { createScriptedModel, type ScriptedModel } from '../support/scripted-model.ts';

const denying = defineHandler({ name: 'test.denying', title: 'Denying', description: 'Denies.', phases: ['TOOL_CALL'], judge: () => deny('never') });

const counting = defineHandler({ name: 'test.counting', title: 'Counting', description: 'Counts on accept.', phases: ['TOOL_CALL'], judge: () => ask('count?', { stateUpdates: [increment('count', 1)] }) });

const nosy = defineHandler({
  name: 'test.nosy',
  title: 'Nosy',
  description: 'Asks about each answer again.',
  phases: ['TOOL_CALL'],
  judge: ({ askModel }) => {
    for (let round = 0; ; round += 1) if (askModel({ instructions: `round ${round}`, material: [], answerSchema: {} }).kind === 'notConfigured') return abstain();
  },
});

/** Asks a person as long as the state has no `count`, and then the model. */
const patient = defineHandler({
  name: 'test.patient',
  title: 'Patient',
  description: 'Asks a person first and the model later.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  judge: ({ facts, askModel }) => {
    if (facts.state['count'] === undefined) return ask('may it?');
    const answer = askModel({ instructions: 'now?', material: [], answerSchema: {} });
    return answer.kind === 'answered' ? allow() : deny('the model failed');
  },
});

let model: ScriptedModel;
let test: TestGate;
let session: Session;

beforeEach(async () => {
  model = createScriptedModel();
  test = await openTestGate({ handlers: [denying, counting, nosy, patient], model });
  session = await startSession(test.open());
});

afterEach(async () => {
  await test.close();
});

const judgeByPrompt = (name = 'by prompt') => attachPolicy(test.open(), session, { name, handler: 'prompt.prompt_policy', params: { prompt: `Is it harmless? (${name})` } });
const limitTo = (limit: number) => attachPolicy(test.open(), session, { name: 'limit', handler: 'safety.max_tool_calls_per_session', params: { limit } });
const evaluations = () => test.open().em.find(EvaluationSchema, { session: session.id });
const count = async () => (await test.open().em.findOneOrFail(SessionSchema, { id: session.id })).state['_policy_tool_call_count'];

describe('a policy that asks the model', () => {
  it.each([
    [{ action: 'allow', reason: '' }, 'ALLOW'],
    [{ action: 'deny', reason: 'It deletes.' }, 'DENY'],
    [{ action: 'ask', reason: 'Unsure.' }, 'ASK'],
    [{ action: 'sure' }, 'DENY'],
    ['failed' as const, 'DENY'],
  ])('that says %j answers %s', async (answer, verdict) => {
    await judgeByPrompt();
    model.says(answer);
    expect(expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated').evaluation).toMatchObject({ verdict });
    expect(model.questions).toHaveLength(1);
  });

  it('has no effect where no model is configured', async () => {
    await test.close();
    test = await openTestGate();
    session = await startSession(test.open());
    await judgeByPrompt();
    expect(expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated').evaluation).toMatchObject({ verdict: 'ALLOW' });
  });

  it('denies when the model throws, and says in the log that it did', async () => {
    await test.close();
    test = await openTestGate({ model: { ask: () => Promise.reject(new Error('boom')) } });
    session = await startSession(test.open());
    await judgeByPrompt();
    expect(expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated').evaluation).toMatchObject({ verdict: 'DENY' });
    expect(test.log.lines).toContainEqual(expect.objectContaining({ message: 'the model threw, which it must not' }));
  });

  it('asks one question once, and each of several policies its own', async () => {
    await judgeByPrompt('one');
    await judgeByPrompt('two');
    await attachPolicy(test.open(), session, { name: 'one again', handler: 'prompt.prompt_policy', params: { prompt: 'Is it harmless? (one)' } });
    model.says({ action: 'allow' });
    expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated');
    expect(model.questions.map(({ instructions }) => /\((\w+)\)/.exec(instructions)?.[1])).toEqual(['one', 'two']);
  });

  it('is not reached after a denial', async () => {
    await attachPolicy(test.open(), session, { name: 'no', handler: 'test.denying' });
    await judgeByPrompt();
    expect(expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated').evaluation).toMatchObject({ verdict: 'DENY', decidingPolicies: ['no'] });
    expect(model.questions).toEqual([]);
  });

  it('fails, and so denies, when it has question after question', async () => {
    await attachPolicy(test.open(), session, { name: 'nosy', handler: 'test.nosy' });
    model.says({ action: 'allow' });
    expect(expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated').evaluation).toMatchObject({ verdict: 'DENY', decidedBy: 'FAILURE', decidingPolicies: ['nosy'] });
    expect(model.questions).toHaveLength(20);
  });

  it('is asked again by the same key only when there is no evaluation yet', async () => {
    await judgeByPrompt();
    model.says({ action: 'allow' });
    const call = bash(session, 'ls', { idempotencyKey: 'k' });
    const first = expectKind(await evaluatePolicy(test.open(), call), 'evaluated').evaluation;
    expect(expectKind(await evaluatePolicy(test.open(), call), 'evaluated').evaluation.id).toBe(first.id);
    expect(model.questions).toHaveLength(1);
  });
});

describe('while the model thinks', () => {
  it('a hundred calls with a limit of fifty are fifty, each asked about once', async () => {
    await limitTo(50);
    await judgeByPrompt();
    const calls = Array.from({ length: 100 }, () => evaluatePolicy(test.open(), bash(session)));
    await eventually(() => model.open === 100);
    model.says({ action: 'allow' });
    const verdicts = (await Promise.all(calls)).map((outcome) => expectKind(outcome, 'evaluated').evaluation.verdict);
    expect(verdicts.filter((verdict) => verdict === 'ALLOW')).toHaveLength(50);
    expect(model.questions).toHaveLength(100);
    expect(await count()).toBe(50);
  });

  it('calls that ask nothing go on, and count', async () => {
    await limitTo(2);
    await attachPolicy(test.open(), session, { name: 'mail only', handler: 'prompt.prompt_policy', params: { prompt: 'x' }, on: [{ phase: 'TOOL_CALL', toolName: 'mail' }] });
    const slow = evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name: 'mail', arguments: {} } } });
    await eventually(() => model.open === 1);
    for (const wanted of ['ALLOW', 'ALLOW', 'DENY']) expect(expectKind(await evaluatePolicy(test.open(), bash(session)), 'evaluated').evaluation.verdict).toBe(wanted);
    model.says({ action: 'allow' });
    expect(expectKind(await slow, 'evaluated').evaluation).toMatchObject({ verdict: 'DENY', decidingPolicies: ['limit'] });
    expect(await count()).toBe(2);
  });

  it('nothing is stored, and a session that has ended takes no evaluation', async () => {
    await judgeByPrompt();
    const call = evaluatePolicy(test.open(), bash(session));
    await eventually(() => model.open === 1);
    expect(await evaluations()).toEqual([]);
    expectKind(await endSession(test.open(), { sessionId: session.id }), 'ended');
    model.says({ action: 'allow' });
    expect(await call).toMatchObject({ kind: 'conflict', message: expect.stringContaining('has ended') });
    expect(await evaluations()).toEqual([]);
  });

  it('a new policy counts, and one that was deleted does not', async () => {
    await judgeByPrompt();
    const asking = (command: string) => evaluatePolicy(test.open(), bash(session, command));
    const first = asking('one');
    await eventually(() => model.open === 1);
    const no = await attachPolicy(test.open(), session, { name: 'no', handler: 'test.denying' });
    model.says({ action: 'allow' });
    expect(expectKind(await first, 'evaluated').evaluation.verdict).toBe('DENY');
    model.thinks();
    const second = asking('two');
    await eventually(() => model.open === 1);
    await deletePolicy(test.open(), { policyId: no.id });
    model.says({ action: 'allow' });
    expect(expectKind(await second, 'evaluated').evaluation.verdict).toBe('ALLOW');
  });

  it('a caller that goes away leaves nothing behind, and may come back with its key', async () => {
    await judgeByPrompt();
    const caller = new AbortController();
    const call = evaluatePolicy(test.open({ signal: caller.signal }), bash(session, 'ls', { idempotencyKey: 'k' }));
    await eventually(() => model.open === 1);
    caller.abort();
    expect(await call).toMatchObject({ kind: 'conflict' });
    expect({ open: model.open, evaluations: await evaluations() }).toEqual({ open: 0, evaluations: [] });
    model.says({ action: 'allow' });
    expect(expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { idempotencyKey: 'k' })), 'evaluated').evaluation.verdict).toBe('ALLOW');
  });

  it('two callers with one key get one evaluation', async () => {
    await judgeByPrompt();
    const calls = [1, 2, 3].map(() => evaluatePolicy(test.open(), bash(session, 'ls', { idempotencyKey: 'k' })));
    await eventually(() => model.open === 3);
    model.says({ action: 'allow' });
    const ids = (await Promise.all(calls)).map((outcome) => expectKind(outcome, 'evaluated').evaluation.id);
    expect(new Set(ids).size).toBe(1);
    expect(await evaluations()).toHaveLength(1);
  });

  it('a shutdown ends the asking and decides nothing', async () => {
    await judgeByPrompt();
    const call = evaluatePolicy(test.open(), bash(session));
    await eventually(() => model.open === 1);
    await test.restart();
    expect(await call).toMatchObject({ kind: 'conflict', message: 'The call or the server ended before the model had answered. Nothing is decided: call again.' });
    expect(await evaluations()).toEqual([]);
  });
});

describe('an ask of a model', () => {
  it('is decided by a person, and the model is not asked about it again', async () => {
    await judgeByPrompt();
    model.says({ action: 'ask', reason: 'Unsure.' });
    const held = await hold(test.open(), session);
    expect(held.elicitation.message).toBe('by prompt: Unsure.');
    expectKind(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW', decidedBy: 'PERSON' });
    expect(model.questions).toHaveLength(1);
  });

  it('whose arguments a person edits is judged with the edit', async () => {
    await judgeByPrompt();
    model.says((question) => ({ kind: 'answered', text: JSON.stringify({ action: question.material.some(({ text }) => text.includes('rm')) ? 'deny' : 'ask' }) }));
    const held = await hold(test.open(), session);
    const edit = (command: string) => resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT', editedArguments: { command } });
    expect(await edit('rm -r .')).toMatchObject({ kind: 'editRefused', policy: 'by prompt' });
    expectKind(await edit('ls -l'), 'resolved');
    expect(await held.answer).toMatchObject({ verdict: 'ALLOW', data: { arguments: { command: 'ls -l' } } });
  });

  it('is not edited while the model fails', async () => {
    await judgeByPrompt();
    model.says({ action: 'ask' });
    const held = await hold(test.open(), session);
    model.says('failed');
    expect(await resolveElicitation(test.open(), { elicitationId: held.elicitation.id, action: 'ACCEPT', editedArguments: { command: 'pwd' } })).toMatchObject({ kind: 'editRefused' });
    expect(await pending(test.open(), session)).toHaveLength(1);
  });
});

describe('what waits while another call of the session is accepted', () => {
  async function two() {
    await attachPolicy(test.open(), session, { name: 'counting', handler: 'test.counting', on: [{ phase: 'TOOL_CALL', toolName: 'count' }] });
    await attachPolicy(test.open(), session, { name: 'patient', handler: 'test.patient', on: [{ phase: 'TOOL_CALL', toolName: 'Bash' }] });
    const other = await hold(test.open(), session);
    const counter = await hold(test.open(), session, { sessionId: session.id, event: { toolCall: { name: 'count', arguments: {} } } });
    const accept = () => resolveElicitation(test.open(), { elicitationId: counter.elicitation.id, action: 'ACCEPT' });
    return { other, accept };
  }

  it('is settled once the model has answered; whoever accepts does not wait for it', async () => {
    const { other, accept } = await two();
    expectKind(await accept(), 'resolved');
    await eventually(() => model.open === 1);
    model.says({});
    expect(await other.answer).toMatchObject({ verdict: 'ALLOW', decidedBy: 'POLICY' });
    expect(await pending(test.open(), session)).toEqual([]);
  });

  it('keeps waiting for a person when the model fails', async () => {
    const { other, accept } = await two();
    model.says('failed');
    expectKind(await accept(), 'resolved');
    await eventually(() => model.questions.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await pending(test.open(), session)).toHaveLength(1);
    expectKind(await resolveElicitation(test.open(), { elicitationId: other.elicitation.id, action: 'ACCEPT' }), 'resolved');
    expect(await other.answer).toMatchObject({ verdict: 'ALLOW', decidedBy: 'PERSON' });
  });

  it('keeps waiting when the server shuts down meanwhile', async () => {
    const { other, accept } = await two();
    expectKind(await accept(), 'resolved');
    await eventually(() => model.open === 1);
    await test.restart();
    expect(await stored(test.open(), await other.answer)).toMatchObject({ status: 'AWAITING_APPROVAL' });
  });
});

describe('a preview', () => {
  it('asks the model, and stores nothing', async () => {
    await judgeByPrompt();
    model.says({ action: 'deny', reason: 'No.' });
    const { decision } = expectKind(await previewEvaluation(test.open(), { sessionId: session.id, event: bash(session).event }), 'previewed');
    expect(decision).toMatchObject({ verdict: 'DENY', reason: 'No.', steps: [{ outcome: 'DENIED' }, { outcome: 'SKIPPED' }] });
    expect(await evaluations()).toEqual([]);
  });
});
