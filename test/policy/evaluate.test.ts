import { describe, expect, it, vi } from 'vitest';
import {
  abstain,
  allow,
  append,
  ask,
  deny,
  evaluate,
  freezeDeep,
  increment,
  remove,
  set,
  type Decision,
  type Json,
  type JsonObject,
  type JudgeInput,
  type PolicyEvent,
  type RunnablePolicy,
} from '../../src/policy/index.ts';
import { facts, passOf, policy, request, throwing, toolCall } from './support/pass.ts';

const nothing = { stateUpdates: [], labels: {} };

function decide(...policies: RunnablePolicy[]): Decision {
  return evaluate(passOf(policies));
}

function outcomes(decision: Decision): string[] {
  return decision.steps.map((step) => step.outcome);
}

/** Records what it was shown. */
function witness(name: string, seen: JudgeInput[]): RunnablePolicy {
  return policy(name, null, {
    judge: (input) => {
      seen.push(input);
      return abstain();
    },
  });
}

describe('when nobody objects', () => {
  it('allows when there is no policy at all', () => {
    expect(decide()).toEqual({ verdict: 'ALLOW', data: null, writes: nothing, steps: [] });
  });

  it('allows when policies abstain or allow, and lets the later ones run after an allow', () => {
    const decision = decide(policy('a', allow()), policy('b', abstain()));
    expect(decision.verdict).toBe('ALLOW');
    expect(outcomes(decision)).toEqual(['ALLOWED', 'ABSTAINED']);
  });

  it('writes what the policies want written, in order; of one label the last value', () => {
    const decision = decide(
      policy('a', allow({ stateUpdates: [increment('n', 1)], setLabels: { tier: 'low', seen: 'yes' } })),
      policy('b', allow({ stateUpdates: [set('k', [1])], setLabels: { tier: 'high' } })),
    );
    expect(decision.writes).toEqual({ stateUpdates: [increment('n', 1), set('k', [1])], labels: { tier: 'high', seen: 'yes' } });
  });

  it('says of every policy what it did, which handler it runs and where it is attached', () => {
    const decision = decide(policy('a', allow(), { level: 'SERVER', handler: 'safety.block_skills' }));
    expect(decision.steps).toEqual([
      { policy: 'a', handler: 'safety.block_skills', level: 'SERVER', outcome: 'ALLOWED', reason: null, durationMicroseconds: 0 },
    ]);
  });

  it('times each policy that ran by the clock it is given', () => {
    const ticks = [100, 107.4, 200, 250, 300];
    const clock = vi.fn(() => ticks.shift() ?? 0);
    const off = policy('off', allow(), { on: [] });
    const decision = evaluate(passOf([policy('a', allow()), policy('b', allow()), off], { clock }));
    expect(decision.steps.map((step) => step.durationMicroseconds)).toEqual([7, 50, 0]);
  });
});

describe('when a policy denies', () => {
  it('denies with that policy’s own words, and no later policy runs', () => {
    const seen: JudgeInput[] = [];
    const decision = decide(policy('a', allow()), policy('b', deny('Not on Fridays.')), witness('c', seen));
    expect(decision).toMatchObject({ verdict: 'DENY', policy: 'b', reason: 'Not on Fridays.' });
    expect(decision).not.toHaveProperty('failure');
    expect(outcomes(decision)).toEqual(['ALLOWED', 'DENIED', 'SKIPPED']);
    expect(decision.steps.map((step) => step.reason)).toEqual([null, 'Not on Fridays.', null]);
    expect(seen).toEqual([]);
  });

  it('denies even after another policy asked, so that nobody is asked in vain', () => {
    const decision = decide(policy('a', ask('Sure?')), policy('b', deny('No.')));
    expect(decision).toMatchObject({ verdict: 'DENY', policy: 'b', reason: 'No.' });
  });

  it('writes what the allowing policies and the denier want, never what the askers wanted', () => {
    const decision = decide(
      policy('allows', allow({ stateUpdates: [increment('calls', 1)], setLabels: { a: '1' } })),
      policy('asks', ask('Sure?', { stateUpdates: [set('approved', true)], setLabels: { a: '2', b: '2' } })),
      policy('denies', deny('No.', { stateUpdates: [increment('denials', 1)], setLabels: { c: '3' } })),
      policy('later', allow({ stateUpdates: [set('later', 1)] })),
    );
    expect(decision.writes).toEqual({ stateUpdates: [increment('calls', 1), increment('denials', 1)], labels: { a: '1', c: '3' } });
  });

  it('drops a rewritten payload', () => {
    const decision = decide(policy('a', allow({ data: { name: 'Bash', arguments: {} } })), policy('b', deny('No.')));
    expect(decision).not.toHaveProperty('data');
  });
});

describe('when policies ask', () => {
  it('asks for all that asked, in order, each reason under its policy’s name', () => {
    const decision = decide(policy('a', ask('Shell.')), policy('b', allow()), policy('c', ask('Costs 3 dollars.')));
    expect(decision).toMatchObject({ verdict: 'ASK', policies: ['a', 'c'], message: 'a: Shell.; c: Costs 3 dollars.' });
    expect(outcomes(decision)).toEqual(['ASKED', 'ALLOWED', 'ASKED']);
  });

  it('says that approval is required where a policy gives no reason', () => {
    expect(decide(policy('a', ask('')), policy('b', ask(' ')))).toMatchObject({ message: 'a: approval required; b: approval required' });
  });

  it('holds back what every policy wants written, askers and others alike', () => {
    const decision = decide(
      policy('a', allow({ stateUpdates: [increment('n', 1)] })),
      policy('b', ask('Sure?', { stateUpdates: [set('ok', true)], setLabels: { asked: 'yes' } })),
    );
    expect(decision).toMatchObject({ verdict: 'ASK', writes: { stateUpdates: [increment('n', 1), set('ok', true)], labels: { asked: 'yes' } } });
  });

  it.for([
    [[300, null, 60, 90], 60],
    [[null, 5], 5],
    [[null, null], null],
  ] as const)('of the timeouts %j the shortest counts: %j', ([timeouts, shortest]) => {
    const askers = timeouts.map((askTimeoutSeconds, index) => policy(`p${index}`, ask('?'), { askTimeoutSeconds }));
    const impatient = policy('no asker', allow(), { askTimeoutSeconds: 1 });
    expect(decide(...askers, impatient)).toMatchObject({ askTimeoutSeconds: shortest });
  });

  it.for([
    ['budget:5', ['budget:5']],
    ['budget:5', ['budget:5', 'budget:5']],
    [null, [undefined]],
    [null, ['budget:5', undefined]],
    [null, [undefined, 'budget:5']],
    [null, ['budget:5', 'budget:9']],
  ] as const)('has the checkpoint %j where the askers give %j', ([checkpoint, given]) => {
    const askers = given.map((own, index) => policy(`p${index}`, ask('?', own === undefined ? {} : { checkpoint: own })));
    expect(decide(...askers)).toMatchObject({ checkpoint });
  });

  it('shows the first asker’s form', () => {
    const form = { type: 'object', properties: { why: { type: 'string' } } };
    expect(decide(policy('a', ask('?', { requestedSchema: form })), policy('b', ask('?', { requestedSchema: {} })))).toMatchObject({ requestedSchema: form });
    expect(decide(policy('a', ask('?')), policy('b', ask('?', { requestedSchema: form })))).toMatchObject({ requestedSchema: {} });
  });
});

describe('which policies judge an event', () => {
  const settings = (on: RunnablePolicy['on'], condition: RunnablePolicy['condition'] = null) => ({ on, condition });
  const everyToolCall = [{ phase: 'TOOL_CALL', toolName: null }] as const;

  it.for([
    ['a policy without selectors', settings([]), 'SKIPPED'],
    ['its phase', settings(everyToolCall), 'ABSTAINED'],
    ['another phase', settings([{ phase: 'TOOL_RESULT', toolName: null }]), 'SKIPPED'],
    ['its tool', settings([{ phase: 'TOOL_CALL', toolName: 'Bash' }]), 'ABSTAINED'],
    ['another tool', settings([{ phase: 'TOOL_CALL', toolName: 'bash' }]), 'SKIPPED'],
    ['one of several selectors', settings([{ phase: 'REQUEST', toolName: null }, { phase: 'TOOL_CALL', toolName: 'Bash' }]), 'ABSTAINED'],
    ['a label with the wanted value', settings(everyToolCall, { env: ['prod'] }), 'ABSTAINED'],
    ['a label with one of the wanted values', settings(everyToolCall, { env: ['dev', 'prod'] }), 'ABSTAINED'],
    ['a label with another value', settings(everyToolCall, { env: ['dev'] }), 'SKIPPED'],
    ['a label that is not set', settings(everyToolCall, { team: ['a'] }), 'SKIPPED'],
    ['two labels of which one does not match', settings(everyToolCall, { env: ['prod'], team: ['a'] }), 'SKIPPED'],
    ['a label named like a member of every object', settings(everyToolCall, { constructor: ['prod'] }), 'SKIPPED'],
    ['an empty condition', settings(everyToolCall, {}), 'ABSTAINED'],
  ] as const)('%s: %j gives %s', ([, fit, outcome]) => {
    const pass = passOf([policy('p', abstain(), fit)], { facts: facts({ labels: { env: 'prod' } }) });
    expect(outcomes(evaluate(pass))).toEqual([outcome]);
  });

  it('narrows tool results by the tool as well', () => {
    const event: PolicyEvent = { type: 'tool_result', target: 'Read', data: { result: 'text' } };
    const on = (toolName: string) => ({ on: [{ phase: 'TOOL_RESULT', toolName }] as const });
    const decision = evaluate(passOf([policy('a', abstain(), on('Read')), policy('b', abstain(), on('Write'))], { event }));
    expect(outcomes(decision)).toEqual(['ABSTAINED', 'SKIPPED']);
  });

  it('judges a call under its target and under its payload’s name when the two disagree', () => {
    const event: PolicyEvent = { type: 'tool_call', target: 'Bash', data: { name: 'harmless', arguments: {} } };
    const on = (toolName: string) => ({ on: [{ phase: 'TOOL_CALL', toolName }] as const });
    const decision = evaluate(passOf([policy('a', abstain(), on('Bash')), policy('b', abstain(), on('harmless'))], { event }));
    expect(outcomes(decision)).toEqual(['ABSTAINED', 'ABSTAINED']);
  });

  it('goes by the labels before the pass, not by those that an earlier policy sets', () => {
    const seen: JudgeInput[] = [];
    const decision = decide(policy('a', allow({ setLabels: { env: 'prod' } })), policy('b', deny('No.'), { condition: { env: ['prod'] } }), witness('c', seen));
    expect(outcomes(decision)).toEqual(['ALLOWED', 'SKIPPED', 'ABSTAINED']);
    expect(seen[0]?.facts.labels).toEqual({});
  });

  it('shows all policies the same state', () => {
    const seen: JudgeInput[] = [];
    decide(policy('a', allow({ stateUpdates: [set('n', 1)] })), witness('b', seen));
    expect(seen[0]?.facts.state).toEqual({});
  });
});

describe('when a policy rewrites the payload', () => {
  const events: Record<string, PolicyEvent> = {
    request: request('hello'),
    response: { type: 'response', target: null, data: 'hello' },
    tool_call: toolCall('Bash', { command: 'ls' }),
    tool_result: { type: 'tool_result', target: 'Bash', data: { result: 'out' }, request_data: { name: 'Bash', arguments: {} } },
    llm_request: { type: 'llm_request', target: null, data: { model: 'm' } },
    llm_response: { type: 'llm_response', target: null, data: { text_preview: 'x' } },
  };
  const fits: [string, Json][] = [
    ['request', { user_content: 'redacted', attachments: [{ filename: null, content_type: 'text/plain', text: '…' }] }],
    ['response', 'redacted'],
    ['tool_call', { name: 'Bash', arguments: { command: 'ls -l' } }],
    ['tool_result', { result: null }],
    ['llm_request', {}],
    ['llm_response', { text_preview: 'redacted' }],
  ];

  it.for(fits)('a %s event goes on with %j, for the next policies and for the caller', ([type, data]) => {
    const seen: JudgeInput[] = [];
    const before = events[type];
    if (!before) expect.unreachable();
    const decision = evaluate(passOf([policy('a', allow({ data })), witness('b', seen)], { event: before }));
    expect(decision).toMatchObject({ verdict: 'ALLOW', data });
    expect(seen[0]?.event).toEqual({ ...before, data });
  });

  it('chains: the last replacement is the one that counts, also when a person is asked', () => {
    const next = (command: string): Json => ({ name: 'Bash', arguments: { command } });
    const decision = decide(policy('a', allow({ data: next('one') })), policy('b', ask('?', { data: next('two') })), policy('c', allow()));
    expect(decision).toMatchObject({ verdict: 'ASK', data: next('two') });
  });

  it('leaves out members that are undefined, as JSON does', () => {
    const decision = decide(policy('a', { kind: 'allow', data: { name: 'Bash', arguments: { command: 'ls', cwd: undefined } } }));
    expect(decision).toHaveProperty('data.arguments', { command: 'ls' });
    expect(decision).not.toHaveProperty('data.arguments.cwd');
  });

  it('takes null for no replacement', () => {
    expect(decide(policy('a', { kind: 'allow', data: null }))).toMatchObject({ verdict: 'ALLOW', data: null });
  });

  const misfits: [string, Json][] = [
    ['request', 'text'],
    ['request', { user_content: 'text' }],
    ['request', { user_content: 5, attachments: [] }],
    ['request', { user_content: 'text', attachments: ['a.txt'] }],
    ['request', { user_content: 'text', attachments: [{ filename: 1 }] }],
    ['response', { text: 'x' }],
    ['tool_call', 'ls'],
    ['tool_call', { name: 'Bash' }],
    ['tool_call', { name: 'Bash', arguments: ['ls'] }],
    ['tool_call', { arguments: {} }],
    ['tool_call', { name: 'Write', arguments: {} }],
    ['tool_result', 'out'],
    ['tool_result', {}],
    ['llm_request', []],
    ['llm_response', 'x'],
  ];

  it.for(misfits)('a %s event cannot go on with %j: the policy failed, and the event is denied', ([type, data]) => {
    const event = events[type];
    if (!event) expect.unreachable();
    const decision = evaluate(passOf([policy('a', allow({ data, setLabels: { a: '1' } })), policy('b', allow())], { event }));
    expect(decision).toMatchObject({ verdict: 'DENY', policy: 'a', writes: nothing });
    expect(outcomes(decision)).toEqual(['FAILED', 'SKIPPED']);
  });
});

describe('when a policy fails', () => {
  it('denies without any write, not even those of the policies before it', () => {
    const decision = decide(policy('a', allow({ stateUpdates: [increment('n', 1)], setLabels: { a: '1' } })), throwing('b', new Error('boom')), policy('c', allow()));
    expect(decision).toMatchObject({ verdict: 'DENY', policy: 'b', writes: nothing });
    expect(outcomes(decision)).toEqual(['ALLOWED', 'FAILED', 'SKIPPED']);
  });

  it('keeps what was thrown for the log and never tells the caller', () => {
    const thrown = new Error('password=hunter2');
    const decision = decide(throwing('budget', thrown));
    expect(decision).toHaveProperty('failure', thrown);
    expect(decision).toHaveProperty('reason', 'Policy "budget" failed to judge this event.');
    expect(JSON.stringify(decision.steps)).not.toContain('hunter2');
  });

  it.for([undefined, null])('can tell a thrown %s from a denial by judgement', (thrown) => {
    const decision = decide(throwing('a', thrown));
    expect(decision).toHaveProperty('failure');
    expect(decision).not.toHaveProperty('failure', undefined);
  });

  const tooLong = 'x'.repeat(257);
  const deepList = Array.from({ length: 300 }).reduce<unknown>((inner) => [inner], 0);
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;

  const nonsense: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a word', 'allow'],
    ['true', true],
    ['a list', [allow()]],
    ['an object without a kind', {}],
    ['an unknown kind', { kind: 'permit' }],
    ['a kind in capitals', { kind: 'ALLOW' }],
    ['a kind from every object', { kind: 'constructor' }],
    ['a denial without a reason', { kind: 'deny' }],
    ['a denial whose reason is no text', { kind: 'deny', reason: 5 }],
    ['an ask without a reason', { kind: 'ask' }],
    ['an ask whose reason is no text', { kind: 'ask', reason: ['?'] }],
    ['a checkpoint that is no text', { kind: 'ask', reason: '?', checkpoint: 5 }],
    ['a checkpoint that no database keeps', { kind: 'ask', reason: '?', checkpoint: 'a\0b' }],
    ['a form that is no object', { kind: 'ask', reason: '?', requestedSchema: [] }],
    ['state updates that are no list', { kind: 'allow', stateUpdates: { n: 1 } }],
    ['a state update that is no object', { kind: 'allow', stateUpdates: [null] }],
    ['a state update with an unknown action', { kind: 'allow', stateUpdates: [{ key: 'k', action: 'merge', value: 1 }] }],
    ['a state update without a key', { kind: 'allow', stateUpdates: [{ action: 'set', value: 1 }] }],
    ['a state update with an empty key', { kind: 'allow', stateUpdates: [set('', 1)] }],
    ['a state update whose key is no text', { kind: 'deny', reason: 'No.', stateUpdates: [{ key: 1, action: 'delete' }] }],
    ['a state value that is missing', { kind: 'allow', stateUpdates: [{ key: 'k', action: 'set' }] }],
    ['a state value that is a function', { kind: 'allow', stateUpdates: [{ key: 'k', action: 'set', value: () => 1 }] }],
    ['a state value that is a date', { kind: 'allow', stateUpdates: [{ key: 'k', action: 'append', value: new Date(0) }] }],
    ['a state value that is no number of JSON', { kind: 'allow', stateUpdates: [set('k', Number.NaN)] }],
    ['a state value without end', { kind: 'allow', stateUpdates: [{ key: 'k', action: 'set', value: circle }] }],
    ['a state value that is too deep', { kind: 'allow', stateUpdates: [{ key: 'k', action: 'set', value: deepList }] }],
    ['an increment by a text', { kind: 'allow', stateUpdates: [{ key: 'k', action: 'increment', value: '1' }] }],
    ['an increment by nothing', { kind: 'allow', stateUpdates: [{ key: 'k', action: 'increment' }] }],
    ['an increment by infinity', { kind: 'allow', stateUpdates: [increment('k', Number.POSITIVE_INFINITY)] }],
    ['labels that are a list', { kind: 'allow', setLabels: ['a'] }],
    ['a label value that is no text', { kind: 'allow', setLabels: { a: 1 } }],
    ['a label value that is no text, of a label that it may not write', { kind: 'allow', setLabels: { __a: 1 } }],
    ['a label value of 257 characters', { kind: 'allow', setLabels: { a: tooLong } }],
    ['a label key of 129 characters', { kind: 'allow', setLabels: { [tooLong.slice(0, 129)]: 'a' } }],
    ['a label without a key', { kind: 'allow', setLabels: { '': 'a' } }],
    ['a replacement that is a function', { kind: 'allow', data: () => 1 }],
  ];

  it.for(nonsense)('an opinion that is %s is a failure', ([, opinion]) => {
    const decision = decide(policy('a', opinion));
    expect(decision).toMatchObject({ verdict: 'DENY', policy: 'a', reason: 'Policy "a" failed to judge this event.', writes: nothing });
    expect(decision).toHaveProperty('failure');
    expect(outcomes(decision)).toEqual(['FAILED']);
  });

  it('an asynchronous judge is a failure, and its rejection does not end the process', async () => {
    const rejected = vi.fn();
    process.once('unhandledRejection', rejected);
    expect(decide(policy('a', Promise.resolve(allow())))).toMatchObject({ verdict: 'DENY' });
    expect(decide(policy('a', Promise.reject(new Error('late'))))).toMatchObject({ verdict: 'DENY' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.removeListener('unhandledRejection', rejected);
    expect(rejected).not.toHaveBeenCalled();
  });

  it('an object whose members throw is a failure', () => {
    const trap = Object.defineProperty({}, 'kind', {
      get: () => {
        throw new Error('trap');
      },
    });
    expect(decide(policy('a', trap))).toMatchObject({ verdict: 'DENY', policy: 'a' });
  });

  it('counts characters as a person does: 256 emoji fit into a label', () => {
    const value = '🙂'.repeat(256);
    expect(decide(policy('a', allow({ setLabels: { mood: value } }))).writes.labels).toEqual({ mood: value });
    expect(decide(policy('a', allow({ setLabels: { mood: `${value}🙂` } }))).verdict).toBe('DENY');
  });
});

describe('state updates of a pass', () => {
  const state = { count: 2, list: [1], text: 'x', none: null };

  function withState(...policies: RunnablePolicy[]): Decision {
    return evaluate(passOf(policies, { facts: facts({ state }) }));
  }

  it.for([
    [increment('text', 1)],
    [increment('list', 1)],
    [increment('none', 1)],
    [append('text', 1)],
    [append('count', 1)],
    [increment('toString', 1), increment('text', 1)],
  ] as const)('%j does not fit the stored value: the policy failed', (stateUpdates) => {
    expect(withState(policy('a', allow({ stateUpdates })))).toMatchObject({ verdict: 'DENY', policy: 'a', writes: nothing });
  });

  it.for([
    [increment('count', 1.5), increment('new', -1)],
    [append('list', 2), append('new', {}), append('none', 1)],
    [remove('text'), increment('text', 1)],
    [remove('missing'), set('text', null)],
    [increment('toString', 1), append('constructor', 1), increment('__proto__', 1)],
  ] as const)('%j fits', (stateUpdates) => {
    const decision = withState(policy('a', allow({ stateUpdates })));
    expect(decision).toMatchObject({ verdict: 'ALLOW', writes: { stateUpdates } });
  });

  it('must fit the state as the earlier policies would leave it', () => {
    const decision = withState(policy('a', allow({ stateUpdates: [set('count', 'many')] })), policy('b', allow({ stateUpdates: [increment('count', 1)] })));
    expect(decision).toMatchObject({ verdict: 'DENY', policy: 'b', writes: nothing });
  });

  it('of a denier must fit the state without what the askers wanted', () => {
    const asker = policy('asks', ask('?', { stateUpdates: [set('count', [])] }));
    expect(withState(asker, policy('denies', deny('No.', { stateUpdates: [increment('count', 1)] })))).toMatchObject({ reason: 'No.' });
    expect(withState(asker, policy('denies', deny('No.', { stateUpdates: [append('count', 1)] })))).toHaveProperty('failure');
  });

  it('of a policy that allows after an ask must fit with and without what the asker wanted', () => {
    const asker = policy('asks', ask('?', { stateUpdates: [set('count', [])] }));
    expect(withState(asker, policy('b', allow({ stateUpdates: [increment('count', 1)] })))).toMatchObject({ verdict: 'DENY', policy: 'b' });
    expect(withState(asker, policy('b', allow({ stateUpdates: [append('count', 1)] })))).toMatchObject({ verdict: 'DENY', policy: 'b' });
    expect(withState(asker, policy('b', allow({ stateUpdates: [append('list', 1)] })))).toMatchObject({ verdict: 'ASK' });
  });
});

describe('label writes of a pass', () => {
  it('drops what the policy may not write, what the label does not know, and what is the server’s, and keeps the rest', () => {
    const setLabels = { tier: 'high', team: 'x', other: 'y', __hidden: 'z', 'omnigent.turn_actor': 'root', 'countersign.x': '1' };
    const writer = policy('a', allow({ setLabels }), { writableLabels: ['tier', 'team', '__hidden', 'omnigent.turn_actor', 'countersign.x'] });
    const decision = evaluate(passOf([writer], { labelValues: { tier: ['low', 'high'], team: ['a'] } }));
    expect(decision).toMatchObject({ verdict: 'ALLOW', writes: { labels: { tier: 'high' } } });
    expect(Object.keys(decision.writes.labels)).toEqual(['tier']);
  });
});

describe('a policy that tries to change what others see', () => {
  const meddle: [string, (input: JudgeInput) => void][] = [
    ['the arguments', ({ event }) => event.type === 'tool_call' && Object.assign(event.data.arguments, { command: 'rm' })],
    ['a list deep in the arguments', ({ event }) => event.type === 'tool_call' && (event.data.arguments['words'] as Json[]).push('x')],
    ['the name', ({ event }) => Object.assign(event.data as object, { name: 'harmless' })],
    ['the event', ({ event }) => Object.assign(event, { type: 'response' })],
    ['the state', ({ facts: { state } }) => Object.assign(state, { count: 0 })],
    ['a list in the state', ({ facts: { state } }) => (state['list'] as Json[]).pop()],
    ['the labels', ({ facts: { labels } }) => Object.assign(labels, { env: 'dev' })],
    ['the actor', ({ facts: { actor } }) => Object.assign(actor, { run_as: 'admin' })],
    ['the facts', (input) => Object.assign(input.facts, { model: 'cheap' })],
    ['its input', (input) => Object.assign(input, { event: request('hi') })],
  ];

  it.for(meddle)('by writing to %s has failed, and denies', ([, write]) => {
    const meddler = policy('a', null, {
      judge: (input) => {
        write(input);
        return allow();
      },
    });
    const event = toolCall('Bash', { command: 'ls', words: ['a'] });
    const decision = evaluate(passOf([meddler], { event, facts: facts({ state: { count: 3, list: [1] }, labels: { env: 'prod' } }) }));
    expect(decision).toMatchObject({ verdict: 'DENY', policy: 'a', failure: expect.any(TypeError) as TypeError });
    expect(event).toEqual(toolCall('Bash', { command: 'ls', words: ['a'] }));
  });

  it('by keeping the replacement that it returned changes nothing any more', () => {
    const kept = { name: 'Bash', arguments: { command: 'ls' } };
    const seen: JudgeInput[] = [];
    const late = policy('late', null, {
      judge: () => {
        kept.arguments.command = 'rm -rf /';
        return abstain();
      },
    });
    const decision = decide(policy('a', allow({ data: kept })), late, witness('c', seen));
    expect(decision).toMatchObject({ data: { name: 'Bash', arguments: { command: 'ls' } } });
    expect(seen[0]?.event).toEqual(toolCall('Bash', { command: 'ls' }));
  });

  it('cannot hide a change by nesting: an event of any depth is frozen', () => {
    let args: JsonObject = { command: 'ls' };
    const innermost = args;
    for (let depth = 0; depth < 100_000; depth += 1) args = { args };
    const meddler = policy('a', null, {
      judge: () => {
        Object.assign(innermost, { command: 'rm' });
        return allow();
      },
    });
    expect(evaluate(passOf([meddler], { event: toolCall('Bash', args) }))).toHaveProperty('failure');
  });

  it('gets the facts of a cached session as they are when they were frozen before', () => {
    const state = freezeDeep({ list: [1] });
    const seen: JudgeInput[] = [];
    evaluate(passOf([witness('a', seen)], { facts: facts({ state }) }));
    expect(seen[0]?.facts.state).toBe(state);
  });
});
