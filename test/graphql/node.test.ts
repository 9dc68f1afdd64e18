import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type Api } from './api.ts';
import { createPolicy, evaluate, startSession } from './journey.ts';

let api: Api;
const ids: Record<string, string> = {};

beforeAll(async () => {
  api = await openApi();
  const { agentId, sessionId } = await startSession(api);
  const policy = await createPolicy(api, { target: { sessionId } });
  const evaluation = await evaluate(api, sessionId);
  Object.assign(ids, { agent: agentId, session: sessionId, policy: policy.id, evaluation: evaluation.id, elicitation: evaluation.elicitation.id });
});

afterAll(() => api.close());

const document = 'query ($id: ID!) { node(id: $id) { __typename id } }';
const types = { agent: 'Agent', session: 'Session', policy: 'Policy', evaluation: 'Evaluation', elicitation: 'Elicitation' };

describe('node', () => {
  it.each(Object.entries(types))('finds an %s by its id', async (name, type) => {
    expect(await api.ask(document, { id: ids[name] })).toEqual({ __typename: type, id: ids[name] });
    expect(await api.ask(`query ($id: ID!) { ${name}(id: $id) { __typename id } }`, { id: ids[name] })).toEqual({ __typename: type, id: ids[name] });
  });

  it('gives the fields of the type', async () => {
    expect(await api.ask('query ($id: ID!) { node(id: $id) { ... on Session { agent { name } } } }', { id: ids['session'] })).toEqual({ agent: { name: 'coder' } });
  });

  it.each(['', 'x', 'ses_', 'ses_x', 'key_01m8qvj5jjf249tsfe85w2zk7r', '__proto___01m8qvj5jjf249tsfe85w2zk7r', 'constructor_x', 'ses_01m8qvj5jjf249tsfe85w2zk7r', 'SES_01M8QVJ5JJF249TSFE85W2ZK7R', '\0', '\ud800', 'a'.repeat(100_000)])(
    'is null for %j',
    async (id) => {
      expect(await api.ask(document, { id })).toBeNull();
    },
  );
});

describe('a field that looks up one id', () => {
  it.each(Object.keys(types))('%s is null for what is not there and for the id of another type', async (name) => {
    const other = name === 'agent' ? ids['session'] : ids['agent'];
    const read = (id: unknown) => api.ask(`query ($id: ID!) { ${name}(id: $id) { id } }`, { id });
    expect(await read(other)).toBeNull();
    expect(await read('nothing')).toBeNull();
    expect(await read(`${ids[name]?.slice(0, -1)}${ids[name]?.endsWith('0') ? '1' : '0'}`)).toBeNull();
  });
});

describe('viewer', () => {
  it('is whoever calls', async () => {
    expect(await api.ask('{ viewer { kind id name } }')).toEqual({ kind: 'USER', id: 'local', name: 'Local user' });
    expect(await api.ask('{ viewer { kind id name } }', {}, { principal: { kind: 'AGENT_KEY', id: 'key_1', name: 'ci' } })).toEqual({ kind: 'AGENT_KEY', id: 'key_1', name: 'ci' });
  });
});
