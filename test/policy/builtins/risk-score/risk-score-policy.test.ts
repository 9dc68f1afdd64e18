import { describe, expect, it } from 'vitest';
import { increment, type Facts, type Json, type JsonObject, type Opinion, type PolicyEvent } from '../../../../src/policy/index.ts';
import { riskScorePolicy } from '../../../../src/policy/builtins/risk-score/risk-score-policy.ts';
import { request, toolCall } from '../../support/pass.ts';
import { opinionOf } from '../../support/verdict-of.ts';

const params = {
  tool_points: { web_search: 10, 'google__web_search': 7, fetch: 5, bonus: -5, free: 0 },
  sensitive_labels: { 'Highly Confidential': 30, RESTRICTED: 25, Internal: 5, public: -40 },
  guarded_tools: ['gmail_message_send', 'drive_permission_create'],
  initial_scores_by_actor: { 'contractor@example.com': 40, 'Trusted@example.com': -20 },
};

function judge(event: PolicyEvent, known: Partial<Facts> = {}, given: JsonObject = params): Opinion {
  return opinionOf(riskScorePolicy, given, { event, known });
}

function result(value: Json): PolicyEvent {
  return { type: 'tool_result', target: 'drive_file_get', data: { result: value } };
}

/** The points that a result adds. */
function pointsFor(value: Json): Json {
  const opinion = judge(result(value));
  const [update] = opinion.kind === 'allow' ? (opinion.stateUpdates ?? []) : [];
  return update?.action === 'increment' ? update.value : 0;
}

describe('a call', () => {
  it.for<[string, number]>([
    ['fetch', 5],
    ['mcp__x__fetch', 5],
    ['FETCH', 5],
    ['ｆetch', 5],
    ['mcp_x_fetch', 5],
    ['x.fetch', 5],
    ['web_search', 10],
    ['webSearch', 10],
    ['google__web_search', 17],
    ['mcp__google__web_search', 17],
    ['a___fetch', 5],
    ['prefetch', 0],
    ['fetch_all', 0],
    ['x_fetch', 0],
    ['bonus', 0],
    ['free', 0],
  ])('of %s adds %i points', ([name, value]) => {
    expect(judge(toolCall(name))).toEqual(value > 0 ? { kind: 'allow', stateUpdates: [increment('risk_score', value)] } : { kind: 'abstain' });
  });

  it.for(['gmail_message_send', 'mcp__google__gmail_message_send', 'Gmail_Message_Send', 'gmail-message-send', ' gmail_message_send', 'gmail_message_\u200bsend', 'mcp_google_gmail_message_send'])('of the guarded %j is asked for from the threshold on', (name) => {
    expect(judge(toolCall(name), { state: { risk_score: 50 } }).kind).toBe('ask');
    expect(judge(toolCall(name), { state: { risk_score: 49 } }).kind).toBe('abstain');
  });

  it.for(['gmail_message_send_later', 'gmail_message', 'xgmail_message_send'])('of %s is not guarded', (name) => {
    expect(judge(toolCall(name), { state: { risk_score: 500 } }).kind).toBe('abstain');
  });

  it('is guarded where only the target says so', () => {
    expect(judge({ type: 'tool_call', target: 'gmail_message_send', data: { name: 'x', arguments: {} } }, { state: { risk_score: 50 } }).kind).toBe('ask');
  });

  it('adds nothing when it is objected to', () => {
    const both = { ...params, tool_points: { gmail_message_send: 5 }, escalate_action: ' deny ', reason: 'too risky' };
    expect(judge(toolCall('gmail_message_send'), { state: { risk_score: 50 } }, both)).toEqual({ kind: 'deny', reason: 'too risky' });
  });
});

describe('the score', () => {
  const send = toolCall('gmail_message_send');

  it.for<[Json, string]>([
    ['50', 'ask'],
    [' +50 ', 'ask'],
    [50.9, 'ask'],
    [49.9, 'abstain'],
    [[99], 'abstain'],
    [null, 'abstain'],
    [true, 'abstain'],
  ])('stored as %j: %s', ([stored, kind]) => {
    expect(judge(send, { state: { risk_score: stored } }).kind).toBe(kind);
  });

  it.for(['high', '50.5', '1e3', 'Infinity', 'NaN', ''])('stored as the text %j fails, and so denies', (stored) => {
    expect(() => judge(send, { state: { risk_score: stored } })).toThrow(TypeError);
  });

  it.for<[string, number, string]>([
    ['contractor@example.com', 10, 'ask'],
    ['Contractor@Example.COM', 10, 'ask'],
    [' contractor@example.com', 10, 'ask'],
    ['contractor@example.com', 9, 'abstain'],
    ['contractor@example.org', 49, 'abstain'],
    ['Trusted@example.com', 69, 'abstain'],
    ['trusted@example.com', 50, 'ask'],
    ['', 50, 'ask'],
    ['__proto__', 49, 'abstain'],
  ])('of someone who acts as %j, with %i stored: %s', ([name, stored, kind]) => {
    expect(judge(send, { actor: { run_as: name }, state: { risk_score: stored } }).kind).toBe(kind);
  });

  it('is kept where the params say', () => {
    expect(judge(send, { state: { risk_score: 99, mine: 0 } }, { ...params, state_key: 'mine' }).kind).toBe('abstain');
    expect(judge(toolCall('fetch'), {}, { ...params, state_key: 'mine' })).toMatchObject({ stateUpdates: [{ key: 'mine' }] });
    expect(judge(send, {}, { ...params, state_key: 'constructor' }).kind).toBe('abstain');
  });
});

describe('a result with a label', () => {
  it.for<[string, Json]>([
    ['as a text', { classification: 'RESTRICTED' }],
    ['in other letters', { classification: ' restricted ' }],
    ['under a field in other letters', { Classification: 'RESTRICTED' }],
    ['under a field in camel case', { labelClassification: 'RESTRICTED' }],
    ['under a field with a blank', { 'Sensitivity Label': 'RESTRICTED' }],
    ['in a list', { classification: ['Public', 'RESTRICTED'] }],
    ['in an object', { classification: { name: 'RESTRICTED' } }],
    ['in an object in a list', { classification: [{ value: { text: 'RESTRICTED' } }] }],
    ['as a pair', { properties: [{ name: 'classification', value: 'RESTRICTED' }] }],
    ['beside a harmless one', { classification: 'Public', files: [{ classification: 'Internal' }, { dlp_label: 'RESTRICTED' }] }],
    ['in JSON', '{"classification":"RESTRICTED"}'],
    ['in JSON in a text of an MCP server', { content: [{ type: 'text', text: '{"classification":"RESTRICTED"}' }] }],
    ['in JSON of JSON of JSON', JSON.stringify({ text: JSON.stringify({ text: JSON.stringify({ classification: 'RESTRICTED' }) }) })],
    ['in JSON after words', 'Here is the file:\n{"classification":"RESTRICTED"}\nDone.'],
    ['in lines of JSON', '{"id":1}\n{"classification":"RESTRICTED"}\n'],
    ['in server-sent events', 'data: {"id":1}\ndata: {"classification":"RESTRICTED"}\n'],
    ['in a line of a text', 'Classification: RESTRICTED\n\nDear all'],
    ['in a line further down', 'Title: x\r\n**Sensitivity:** Restricted\r\ntext'],
    ['in a line of a list', '- dlp_label = "restricted".'],
    ['in a line with more', 'Classification: RESTRICTED // NOFORN'],
    ['in XML', '<doc><classification id="1">RESTRICTED</classification></doc>'],
    ['in front matter inside JSON', { body: '---\nclassification: restricted\n---\n' }],
    ['in the payload itself', [{ classification: 'RESTRICTED' }]],
    ['in full width', { classification: 'ＲＥＳＴＲＩＣＴＥＤ' }],
    ['with a character that nobody sees', { classification: 'RES\u200bTRICTED' }],
  ])('%s adds its points', ([, value]) => {
    expect(pointsFor(value)).toBe(25);
  });

  it('adds those of the most sensitive one, once', () => {
    expect(pointsFor({ a: [{ classification: 'Internal' }, { classification: 'Highly Confidential' }, { classification: 'Highly Confidential' }] })).toBe(30);
  });

  it('is found at any depth', () => {
    let value: Json = { classification: 'RESTRICTED' };
    for (let depth = 0; depth < 50_000; depth += 1) value = { value };
    expect(pointsFor(value)).toBe(25);
  });

  it('never lowers the score', () => {
    expect(pointsFor({ classification: 'public' })).toBe(0);
    expect(pointsFor({ classification: ['public', 'Internal'] })).toBe(5);
  });

  it.for<Json>([
    ...['RESTRICTED', '{"classification": "RESTRICTED"', '', null, 5, {}],
    ...[{ label: 'RESTRICTED' }, { title: 'RESTRICTED' }, { classification: null }, { classification: 'Highly  Confidential' }, { classification: 'Unrestricted' }],
    ...['Classification: restricted airspace', 'The classification was RESTRICTED', 'classification\nRESTRICTED', 'declassification: RESTRICTED', { note: 'see RESTRICTED' }, 'Restricted: classification'],
  ])('is not what this is: %j', (value) => {
    expect(pointsFor(value)).toBe(0);
  });

  it('is looked for in the fields that the params name', () => {
    expect(judge(result({ tier: 'RESTRICTED' }), {}, { ...params, label_keys: ['tier'] }).kind).toBe('allow');
    expect(judge(result({ classification: 'RESTRICTED' }), {}, { ...params, label_keys: ['tier'] }).kind).toBe('abstain');
  });
});

it('has no opinion of other phases, and none where nothing is configured', () => {
  expect(judge(request('fetch'), { state: { risk_score: 99 } }).kind).toBe('abstain');
  expect(judge(toolCall('gmail_message_send'), { state: { risk_score: 99 } }, {}).kind).toBe('abstain');
  expect(judge(result({ classification: 'RESTRICTED' }), {}, {}).kind).toBe('abstain');
});

it('fails on a name that is no text, and so denies', () => {
  for (const name of [5, true, ['gmail_message_send'], {}]) {
    expect(() => judge({ type: 'tool_call', target: 'x', data: { name, arguments: {} } } as unknown as PolicyEvent)).toThrow(TypeError);
  }
});

it.for<Json>(['{"a":'.repeat(200_000), '['.repeat(1_000_000), 'classification: '.repeat(60_000), `classification:${' '.repeat(1_000_000)}x`, '<a>'.repeat(300_000), '{}\n'.repeat(100_000), 'a:b\n'.repeat(250_000), Array.from({ length: 200_000 }, () => ({ classification: 'x' }))])('searches a large result soon (%#)', (value) => {
  const startedAt = performance.now();
  pointsFor(value);
  expect(performance.now() - startedAt).toBeLessThan(2500);
});

it.for([
  ...[{ threshold: 1.5 }, { tool_points: { a: 0.5 } }, { tool_points: { a: '5' } }, { tool_points: [] }, { sensitive_labels: { a: null } }, { guarded_tools: 'x' }],
  ...[{ escalate_action: 'BLOCK' }, { escalate_action: '' }, { escalate_action: null }, { state_key: '' }, { label_keys: [5] }, { points: {} }],
])('refuses the params %j', (given) => {
  expect(riskScorePolicy.build(given as JsonObject).kind).toBe('invalidParams');
});
