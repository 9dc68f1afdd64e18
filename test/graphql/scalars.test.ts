import { buildSchema, parse, printSchema, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { openApi, type Api } from './api.ts';
import { evaluate, startSession } from './journey.ts';

let api: Api;
let agentId: string;
let sessionId: string;

beforeAll(async () => {
  api = await openApi();
  ({ agentId, sessionId } = await startSession(api));
});

afterAll(() => api.close());

const withArguments = 'mutation ($id: ID!, $arguments: JSONObject) { evaluatePolicy(input: { sessionId: $id, event: { toolCall: { name: "t", arguments: $arguments } } }) { __typename ... on Evaluation { event } ... on InvalidInputError { issues { path message } } } }';

function withLiteral(literal: string, variables: object = {}, declared = ''): Promise<unknown> {
  return api.ask(
    `mutation ($id: ID!${declared}) { evaluatePolicy(input: { sessionId: $id, event: { toolCall: { name: "t", arguments: ${literal} } } }) { __typename ... on Evaluation { event } ... on InvalidInputError { issues { path message } } } }`,
    { id: sessionId, ...variables },
  );
}

describe('JSONObject', () => {
  it('keeps a literal as it is written', async () => {
    const answer = await withLiteral('{ s: "x", i: 1, f: -1.5e3, b: true, n: null, l: [1, "2", [null]], o: { deep: {} } }');
    expect(answer).toMatchObject({ event: { data: { arguments: { s: 'x', i: 1, f: -1500, b: true, n: null, l: [1, '2', [null]], o: { deep: {} } } } } });
  });

  it('takes variables inside a literal; a key whose variable is not given is left out', async () => {
    const answer = await withLiteral('{ command: $command, missing: $missing, list: [$missing] }', { command: 'ls' }, ', $command: String, $missing: String');
    expect(answer).toMatchObject({ event: { data: { arguments: { command: 'ls', list: [null] } } } });
    expect(JSON.stringify(answer)).not.toContain('missing');
  });

  it.each([['a list', [1]], ['the string "x"', 'x'], ['the number 1', 1], ['the boolean true', true]])('refuses %s, given as a variable', async (noun, value) => {
    const { errors } = await api.answer(withArguments, { id: sessionId, arguments: value });
    expect(errors?.[0]?.message).toContain(`A JSON object is needed, not ${noun}.`);
  });

  it.each(['[1]', '"x"', '1', 'true', 'ALLOW'])('refuses the literal %s', (literal) => {
    const errors = validate(schema, parse(`mutation { evaluatePolicy(input: { sessionId: "s", event: { toolCall: { name: "t", arguments: ${literal} } } }) { __typename } }`));
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('A JSON object is needed')]);
  });

  it('refuses an enum value in a literal and says what to write', () => {
    const errors = validate(schema, parse('mutation { evaluatePolicy(input: { sessionId: "s", event: { toolCall: { name: "t", arguments: { a: [ls] } } } }) { __typename } }'));
    expect(errors[0]?.message).toContain('write "ls", in quotes');
  });

  it('keeps __proto__ as a key, which the gate refuses by name, in a literal and in a variable', async () => {
    const refused = { __typename: 'InvalidInputError', issues: [{ path: ['event', 'toolCall', 'arguments', '__proto__'], message: expect.stringContaining('__proto__') }] };
    expect(await withLiteral('{ __proto__: { polluted: true } }')).toEqual(refused);
    expect(await api.ask(withArguments, { id: sessionId, arguments: JSON.parse('{ "__proto__": { "polluted": true } }') as object })).toEqual(refused);
    expect({}).not.toHaveProperty('polluted');
  });

  it('is {} where the arguments of a tool call are left out', async () => {
    expect(await api.ask(withArguments, { id: sessionId })).toMatchObject({ event: { data: { name: 't', arguments: {} } } });
    expect(await api.ask(withArguments, { id: sessionId, arguments: null })).toMatchObject({ event: { data: { arguments: {} } } });
  });

  it('cannot have a default in a schema: graphql 16 would not print it, nor would clients that read our introspection', () => {
    const withDefault = buildSchema('scalar JSONObject type Query { x(arguments: JSONObject! = {}): Int }');
    expect(() => printSchema(withDefault)).toThrow('Cannot convert value to AST');
  });
});

describe('JSON', () => {
  it.each([['text', 'text'], [{ a: 1 }, '{"a":1}'], [[1, null], '[1,null]'], [false, 'false'], [0, '0'], [null, '']])('takes the result %j of a tool, which policies see as text', async (result, text) => {
    const answer = await evaluate(api, sessionId, { event: { toolResult: { name: 't', result } } });
    const { event } = await api.ask('query ($id: ID!) { evaluation(id: $id) { event } }', { id: answer.id });
    expect(event).toEqual({ type: 'tool_result', target: 't', data: { result: text }, request_data: { name: 't', arguments: {} } });
  });

  it('may be left out', async () => {
    expect(await evaluate(api, sessionId, { event: { toolResult: { name: 't' } } })).toMatchObject({ __typename: 'Evaluation', verdict: 'ALLOW' });
  });
});

describe('DateTime', () => {
  it('is UTC with milliseconds', async () => {
    const { createdAt } = await api.ask('query ($id: ID!) { agent(id: $id) { createdAt } }', { id: agentId });
    expect(createdAt).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  const filtered = 'query ($after: DateTime) { elicitations(filter: { requestedAfter: $after }) { edges { cursor } } }';

  it.each(['2026-08-14T09:30:00Z', '2026-08-14T09:30:00.123456+02:00', '2026-08-14T09:30:00.5-11:30'])('takes %s', async (after) => {
    expect((await api.answer(filtered, { after })).errors).toBeUndefined();
  });

  it.each(['yesterday', '2026-08-14', '2026-08-14T09:30:00', '2026-02-30T09:30:00Z', '2016-12-31T23:59:60Z', '', 1, true, { a: 1 }])('refuses %j', async (after) => {
    const { errors } = await api.answer(filtered, { after });
    expect(errors).toMatchObject([{ message: expect.stringContaining('DateTime') }]);
  });
});

describe('an event', () => {
  it('has exactly one field', async () => {
    const document = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename } }';
    for (const event of [{}, { response: { content: 'a' }, request: { content: 'b' } }, { response: null }]) {
      const { errors } = await api.answer(document, { input: { sessionId, event } });
      expect(errors?.[0]?.message, JSON.stringify(event)).toMatch(/Exactly one key must be specified|must be non-null/);
    }
  });

  it('of a tool cannot be without the name of the tool', () => {
    const errors = validate(schema, parse('mutation { evaluatePolicy(input: { sessionId: "s", event: { toolCall: { arguments: {} } } }) { __typename } }'));
    expect(errors[0]?.message).toContain('"ToolCallEventInput.name" of required type "String!" was not provided');
  });

  it.each([
    ['REQUEST', { request: { content: 'hi', attachments: [{ filename: 'a.txt', contentType: 'text/plain', text: 'x' }] } }, { type: 'request', target: null, data: { user_content: 'hi', attachments: [{ filename: 'a.txt', content_type: 'text/plain', text: 'x' }] } }],
    ['RESPONSE', { response: { content: 'ok' } }, { type: 'response', target: null, data: 'ok' }],
    ['TOOL_CALL', { toolCall: { name: 't', arguments: { a: 1 } } }, { type: 'tool_call', target: 't', data: { name: 't', arguments: { a: 1 } } }],
    ['TOOL_RESULT', { toolResult: { name: 't', result: 'r', call: { name: 't', arguments: { a: 1 } } } }, { type: 'tool_result', target: 't', data: { result: 'r' }, request_data: { name: 't', arguments: { a: 1 } } }],
    ['LLM_REQUEST', { llmRequest: { model: 'm', messagesCount: 2 } }, { type: 'llm_request', target: null, data: { model: 'm', messages_count: 2 } }],
    ['LLM_RESPONSE', { llmResponse: { textPreview: 't', usage: { input_tokens: 1 } } }, { type: 'llm_response', target: null, data: { text_preview: 't', usage: { input_tokens: 1 } } }],
  ])('of the phase %s reads back as the policies saw it', async (phase, event, seen) => {
    const { id } = await evaluate(api, sessionId, { event });
    expect(await api.ask('query ($id: ID!) { evaluation(id: $id) { phase event } }', { id })).toEqual({ phase, event: seen });
  });
});
