import { GraphQLClient } from 'graphql-request';
import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { eventually, expectKind, pending, startAskingSession } from '../support/journey.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const evaluate = /* GraphQL */ `
  mutation ($sessionId: ID!, $key: String, $waitSeconds: Int) {
    evaluatePolicy(input: { sessionId: $sessionId, idempotencyKey: $key, waitSeconds: $waitSeconds, event: { toolCall: { name: "Bash", arguments: { command: "ls" } } } }) {
      __typename
      ... on Evaluation {
        id
        verdict
        status
        decidedBy
      }
      ... on Error {
        message
      }
    }
  }
`;
const keepAlive = { headersAfterSeconds: 0.1, blankEverySeconds: 0.05, pingEverySeconds: 0.1 };
const awaiting = { evaluatePolicy: { __typename: 'Evaluation', id: expect.any(String), verdict: 'ASK', status: 'AWAITING_APPROVAL', decidedBy: null } };
const allowed = { evaluatePolicy: { ...awaiting.evaluatePolicy, verdict: 'ALLOW', status: 'DECIDED', decidedBy: 'PERSON' } };

let server: TestServer;
afterEach(() => server.remove());

/** Three ways to make a call that is held, each with what its caller gets, and a way for the caller to go away. */
const ways = {
  fetch: (sessionId: string) => {
    const client = new AbortController();
    const answer = post(server.url, evaluate, { variables: { sessionId }, signal: client.signal }).then(async (response) => ((await response.json()) as { data: unknown }).data);
    return { answer, leave: () => client.abort() };
  },
  'graphql-request': (sessionId: string) => {
    const client = new AbortController();
    const answer: Promise<unknown> = new GraphQLClient(server.url).request({ document: evaluate, variables: { sessionId }, signal: client.signal });
    return { answer, leave: () => client.abort() };
  },
  'graphql-ws': (sessionId: string) => {
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    const answer = client
      .iterate({ query: evaluate, variables: { sessionId } })
      .next()
      .then(({ value }: { value?: { data?: unknown } }) => value?.data);
    return { answer, leave: () => client.terminate() };
  },
};

async function elicitationOf(session: Session) {
  return eventually(async () => (await pending(server.openGate(), session))[0]);
}

describe.each(Object.entries(ways))('evaluatePolicy over %s', (_, call) => {
  it('is held until a person decides', async () => {
    server = await startTestServer({ keepAlive });
    const session = await startAskingSession(server.openGate());
    const { answer } = call(session.id);
    const { id } = await elicitationOf(session);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expectKind(await resolveElicitation(server.openGate(), { elicitationId: id, action: 'ACCEPT' }), 'resolved');
    expect(await answer).toEqual(allowed);
  });

  it.each([
    ['before headers are sent', 20],
    ['during the hold', 300],
  ])('starts the grace time when its caller goes away %s', async (_when, milliseconds) => {
    server = await startTestServer({ keepAlive, graceSeconds: 1000 });
    const session = await startAskingSession(server.openGate());
    const { answer, leave } = call(session.id);
    answer.catch(() => undefined);
    await elicitationOf(session);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const abandonAt = async () => (await server.openGate().em.findOneOrFail(EvaluationSchema, { session: session.id })).abandonAt;
    expect(await abandonAt()).toBeNull();
    leave();
    await expect.poll(abandonAt, { timeout: 500, interval: 10 }).not.toBeNull();
  });

  it('is answered as it stands by a shutdown', async () => {
    server = await startTestServer({ keepAlive });
    const session = await startAskingSession(server.openGate());
    const { answer } = call(session.id);
    await elicitationOf(session);
    await server.close();
    expect(await answer).toEqual(awaiting);
  });
});

describe('a restart', () => {
  it('finds the evaluation by its key, on the same file', async () => {
    server = await startTestServer({ keepAlive });
    const session = await startAskingSession(server.openGate());
    const variables = { sessionId: session.id, key: 'once' };
    const answer = post(server.url, evaluate, { variables }).then((response) => response.json());
    await elicitationOf(session);
    await server.close();
    expect(await answer).toEqual({ data: awaiting });

    const again = await startTestServer({ keepAlive, database: `sqlite:${server.databaseFile}` });
    try {
      const second = post(again.url, evaluate, { variables }).then((response) => response.json());
      const elicitations = await pending(again.openGate(), session);
      expect(elicitations).toHaveLength(1);
      await resolveElicitation(again.openGate(), { elicitationId: elicitations[0]?.id ?? '', action: 'ACCEPT' });
      expect(await second).toEqual({ data: allowed });
    } finally {
      await again.remove();
    }
  });
});
