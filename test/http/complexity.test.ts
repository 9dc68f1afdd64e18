import { getIntrospectionQuery } from 'graphql';
import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
afterEach(() => server.remove());

const sessions = (first: string | number, below = 'id') => `{ sessions(first: ${first}) { edges { node { ${below} } } } }`;

async function answerOf(query: string, variables: object = {}) {
  const response = await post(server.url, query, { variables, headers: { accept: 'application/graphql-response+json' } });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: { message: string; extensions: { code: string } }[] };
  return { status: response.status, isAnswered: data !== undefined && data !== null, code: errors?.[0]?.extensions.code, message: errors?.[0]?.message };
}

async function complexityOf(query: string, variables: object = {}): Promise<number> {
  const { message = '' } = await answerOf(query, variables);
  return Number(/has a complexity of (\d+); the limit is 1\./.exec(message)?.[1] ?? 1);
}

describe('the complexity of an operation', () => {
  it('is how many fields it may answer', async () => {
    server = await startTestServer({ limits: { documentComplexity: 1 } });
    expect(await complexityOf('{ viewer { id name } }')).toBe(3);
    expect(await complexityOf('{ ...A } fragment A on Query { viewer { ...B } } fragment B on Principal { id name }')).toBe(3);
    expect(await complexityOf(sessions(7))).toBe(1 + 7 * (1 + 1 + 1));
    expect(await complexityOf('{ sessions(last: 5) { edges { node { id } } } }')).toBe(1 + 5 * 3);
    expect(await complexityOf('{ sessions { edges { node { id } } } }')).toBe(1 + 20 * 3);
    expect(await complexityOf(sessions(7, 'evaluations(first: 3) { edges { cursor } }'))).toBe(1 + 7 * (1 + 1 + 1 + 3 * 2));
    expect(await complexityOf(sessions(2, 'policies { id name }'))).toBe(1 + 2 * (1 + 1 + 1 + 10 * 2));
  });

  it('counts the size of a page that a variable has', async () => {
    server = await startTestServer({ limits: { documentComplexity: 1 } });
    const query = 'query ($n: Int = 4) { sessions(first: $n) { edges { cursor } } }';
    expect(await complexityOf(query, { n: 9 })).toBe(1 + 9 * 2);
    expect(await complexityOf(query)).toBe(1 + 4 * 2);
    expect(await complexityOf(query, { n: 3 })).toBe(1 + 3 * 2);
  });

  it('beyond the limit refuses the operation before it begins, and says the figure and the limit', async () => {
    server = await startTestServer({ limits: { documentComplexity: 100 } });
    expect(await answerOf(sessions(34))).toEqual({
      status: 400,
      isAnswered: false,
      code: 'DOCUMENT_TOO_COMPLEX',
      message: 'The operation has a complexity of 103; the limit is 100. Ask for smaller pages, or for less of each item.',
    });
    expect(await answerOf(sessions(33))).toMatchObject({ status: 200, isAnswered: true });
    expect(await answerOf(sessions('$n').replace('{', 'query ($n: Int) {'), { n: 34 })).toMatchObject({ code: 'DOCUMENT_TOO_COMPLEX' });
    expect(await answerOf(sessions('$n').replace('{', 'query ($n: Int) {'), { n: 33 })).toMatchObject({ isAnswered: true });
    const subscription = 'subscription { elicitationRequested { evaluations { policies: decidingPolicies session { policies { id handler { phases } } } } } }';
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    const { value } = (await client.iterate({ query: subscription }).next()) as { value: unknown };
    await client.dispose();
    expect(value).toMatchObject({ errors: [{ extensions: { code: 'DOCUMENT_TOO_COMPLEX' } }] });
  });

  it('is that of the operation that is asked for, among several', async () => {
    server = await startTestServer({ limits: { documentComplexity: 100 } });
    const query = `query Small { viewer { id } } query Large ${sessions(100)}`;
    const named = async (operationName: string) => (await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, operationName }) })).json();
    expect(await named('Small')).toEqual({ data: { viewer: { id: 'local' } } });
    expect(await named('Large')).toMatchObject({ errors: [{ extensions: { code: 'DOCUMENT_TOO_COMPLEX' } }] });
  });

  it('takes no time, however fragments multiply', async () => {
    server = await startTestServer({ limits: { documentComplexity: 1000 } });
    const doubling = Array.from({ length: 60 }, (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`).join(' ');
    const startedAt = performance.now();
    expect(await answerOf(`{ ...F0 } ${doubling} fragment F60 on Query { viewer { id } }`)).toMatchObject({ code: 'DOCUMENT_TOO_COMPLEX' });
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  it('counts nothing for introspection, and leaves a page that is too large to its field', async () => {
    server = await startTestServer({ limits: { documentComplexity: 500 } });
    expect(await answerOf(getIntrospectionQuery())).toMatchObject({ status: 200, isAnswered: true });
    expect(await answerOf(sessions(100_000))).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await answerOf(sessions(-1))).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});
