import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelQuestion } from '../../src/gate/model.ts';
import { createModel, type ModelSettings } from '../../src/model/create-model.ts';
import { createLogBook, type LogBook } from '../support/log-book.ts';
import { completion, floods, hangs, hangsUp, says, slow, stalls, startModelServer, status, type ModelServer, type Reply } from '../support/model-server.ts';

const question: ModelQuestion = {
  instructions: 'Is it fine?',
  material: [
    { title: 'The call', text: 'ls' },
    { title: 'The state', text: '{}', passing: true },
  ],
  answerSchema: { type: 'object', properties: { fine: { type: 'boolean' } }, required: ['fine'], additionalProperties: false },
};
const failed = { kind: 'failed' };
const answered = { kind: 'answered', text: '{"fine":true}' };
const fine = says({ fine: true });

let server: ModelServer;
let other: ModelServer;
let log: LogBook;

beforeEach(async () => {
  server = await startModelServer();
  other = await startModelServer();
  log = createLogBook();
});

afterEach(async () => {
  await server.close();
  await other.close();
});

function ask({ signal = new AbortController().signal, asked = question, ...settings }: Partial<ModelSettings> & { signal?: AbortSignal; asked?: ModelQuestion } = {}) {
  const defaults: ModelSettings = { baseUrl: server.baseUrl, model: 'judge-1', apiKey: 'sk-secret', timeoutSeconds: 5, fallbacks: [] };
  return createModel({ settings: { ...defaults, ...settings }, log }).ask(asked, signal);
}

const logged = () => JSON.stringify(log.lines);

describe('a question', () => {
  it('goes out as a chat completion with a strict schema, and comes back as it was answered', async () => {
    server.replies(fine);
    expect(await ask()).toEqual(answered);
    const [request] = server.requests;
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-secret', 'content-type': 'application/json' },
      body: { model: 'judge-1', temperature: 0, response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: question.answerSchema } } },
    });
    expect(request?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(log.lines).toEqual([]);
  });

  it('goes without a key where none is configured', async () => {
    server.replies(fine);
    expect(await ask({ apiKey: null })).toEqual(answered);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('of a megabyte is sent whole; one beyond all measure is not sent at all', async () => {
    server.replies(fine);
    const of = (length: number): ModelQuestion => ({ ...question, material: [{ title: 'Payload', text: '"'.repeat(length) }] });
    expect(await ask({ asked: of(1_048_576) })).toEqual(answered);
    expect(server.requests[0]?.body.messages[1]?.content).toContain('"'.repeat(1_048_576));
    expect(await ask({ asked: of(5_000_000) })).toEqual(failed);
    expect(server.requests).toHaveLength(1);
  });
});

describe('an answer that is any text is for the policy to read', () => {
  it.each(['not json', '{"fine":', '```json\n{"fine":true}\n```', '[]'])('%j', async (text) => {
    server.replies(says(text));
    expect(await ask()).toEqual({ kind: 'answered', text });
  });
});

describe('what fails at once, without another try', () => {
  const choices = (message: object, more = {}) => completion({ choices: [{ message, ...more }] });
  it.each<[string, Reply]>([
    ['a wrong key', status(401)],
    ['a request that is refused', status(400)],
    ['a path that is not there', status(404)],
    ['a redirect', status(307, { location: 'http://127.0.0.1:1/elsewhere' })],
    ['a status that is no answer', status(204)],
    ['garbage', completion('<html>')],
    ['a web page', completion('<html>', 'text/html')],
    ['JSON that does not say that it is', completion({ choices: [{ message: { content: '{}' } }] }, 'text/plain')],
    ['JSON of another kind', completion({ fine: true })],
    ['a list', completion([])],
    ['null', completion(null)],
    ['no choices', completion({ choices: [] })],
    ['no content', choices({ content: null })],
    ['content in parts', choices({ content: [{ type: 'text', text: '{"fine":true}' }] })],
    ['an empty answer', says('')],
    ['a blank answer', says(' \n')],
    ['a refusal', choices({ content: '{"fine":true}', refusal: 'I cannot.' })],
    ['an answer that is cut off', choices({ content: '{"fine":true}' }, { finish_reason: 'length' })],
    ['an answer that was filtered', choices({ content: '{"fine":true}' }, { finish_reason: 'content_filter' })],
    ['an answer without end', floods],
    ['an answer that is said to be huge', (response) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9999999' }).end('{')],
  ])('%s', async (_, reply) => {
    server.replies(reply);
    expect(await ask()).toEqual(failed);
    expect(server.requests).toHaveLength(1);
    expect(log.lines).toEqual([{ level: 'warn', message: 'the model gave no answer', fields: { baseUrl: server.baseUrl, model: 'judge-1', why: expect.any(String) } }]);
    expect(logged()).not.toMatch(/sk-secret|Is it fine|"ls"/);
  });

  it('a redirect is not followed, and takes the key nowhere', async () => {
    other.replies(fine);
    server.replies(status(308, { location: `${other.baseUrl}/chat/completions` }));
    expect(await ask()).toEqual(failed);
    expect(other.requests).toEqual([]);
  });
});

describe('what is tried once more', () => {
  it.each<[string, Reply]>([
    ['too many requests', status(429, { 'retry-after': '0' })],
    ['a server that fails', status(500)],
    ['a server that is overloaded', status(529)],
    ['a connection that breaks', hangsUp],
  ])('%s', async (_, reply) => {
    server.replies(reply, fine);
    expect(await ask()).toEqual(answered);
    expect(server.requests).toHaveLength(2);
    server.replies(reply);
    expect(await ask()).toEqual(failed);
    expect(server.requests).toHaveLength(4);
  });

  it('after as long as the endpoint wishes, where there is time for it', async () => {
    server.replies(status(429, { 'retry-after': '1' }), fine);
    const start = performance.now();
    expect(await ask()).toEqual(answered);
    expect(performance.now() - start).toBeGreaterThan(950);
    server.replies(status(429, { 'retry-after': '3600' }), fine);
    expect(await ask({ timeoutSeconds: 0.3 })).toEqual(failed);
    expect(server.requests).toHaveLength(3);
  });

  it('nobody listens', async () => {
    await other.close();
    expect(await ask({ baseUrl: other.baseUrl })).toEqual(failed);
    expect(log.lines).toMatchObject([{ fields: { why: 'no connection: ECONNREFUSED' } }]);
    other = await startModelServer();
  });
});

describe('the time limit', () => {
  it.each<[string, Reply]>([
    ['an endpoint that says nothing', hangs],
    ['one that begins and stops', stalls],
    ['one that is too slow', slow(2000, fine)],
  ])('ends %s, with no second try', async (_, reply) => {
    server.replies(reply);
    const start = performance.now();
    expect(await ask({ timeoutSeconds: 0.3 })).toEqual(failed);
    expect(performance.now() - start).toBeLessThan(1500);
    expect(server.requests).toHaveLength(1);
    expect(log.lines).toMatchObject([{ fields: { why: 'no answer in time' } }]);
  });

  it('does not end one that answers in time', async () => {
    server.replies(slow(200, fine));
    expect(await ask()).toEqual(answered);
  });
});

describe('whoever asks and goes away', () => {
  it('ends the request, and no fallback is asked', async () => {
    server.replies(hangs);
    const caller = new AbortController();
    const asked = ask({ signal: caller.signal, fallbacks: ['judge-2'] });
    while (server.open() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    caller.abort();
    expect(await asked).toEqual(failed);
    while (server.open() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect({ requests: server.requests.length, log: log.lines }).toEqual({ requests: 1, log: [] });
  });
});

describe('fallbacks', () => {
  it('are asked in order: other models of the endpoint, other endpoints', async () => {
    server.replies(status(400), completion('garbage'), fine);
    expect(await ask({ fallbacks: ['judge-2', { model: 'judge-3', baseUrl: null, apiKey: null }, 'judge-4'] })).toEqual(answered);
    expect(server.requests.map(({ body, headers }) => [body.model, headers.authorization])).toEqual([
      ['judge-1', 'Bearer sk-secret'],
      ['judge-2', 'Bearer sk-secret'],
      ['judge-3', 'Bearer sk-secret'],
    ]);
  });

  it('never get the key of another endpoint', async () => {
    server.replies(hangs);
    other.replies(status(401), fine);
    const fallbacks = [
      { model: 'without', baseUrl: other.baseUrl, apiKey: null },
      { model: 'with', baseUrl: other.baseUrl, apiKey: 'sk-other' },
    ];
    expect(await ask({ timeoutSeconds: 0.3, fallbacks })).toEqual(answered);
    expect(other.requests.map(({ body, headers }) => [body.model, headers.authorization])).toEqual([
      ['without', undefined],
      ['with', 'Bearer sk-other'],
    ]);
  });

  it('that all fail are a failure', async () => {
    server.replies(status(400));
    expect(await ask({ fallbacks: ['judge-2', 'judge-3'] })).toEqual(failed);
    expect(log.lines.map(({ fields }) => (fields as { model: string }).model)).toEqual(['judge-1', 'judge-2', 'judge-3']);
  });
});
