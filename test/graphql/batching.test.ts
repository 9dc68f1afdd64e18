import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type Api } from './api.ts';
import { createPolicy, createSession, evaluate, startSession } from './journey.ts';

let api: Api;
let agentId: string;
let sessionId: string;

beforeAll(async () => {
  api = await openApi();
  ({ agentId, sessionId } = await startSession(api));
  await createPolicy(api, { target: { agentId } });
  for (let index = 0; index < 50; index += 1) {
    const { id } = await createSession(api, { agentId, title: `session ${index}` });
    await createPolicy(api, { target: { sessionId: id }, name: `of ${index}` });
    await evaluate(api, id, { command: `${index}` });
    await evaluate(api, id, { command: `${index} again` });
  }
});

afterAll(() => api.close());

describe('a list with nested fields costs a handful of queries', () => {
  it.each([
    [2, '{ elicitations(first: 100) { edges { node { status url session { title } } } } }'],
    [3, '{ elicitations(first: 100) { edges { node { session { agent { name } } } } } }'],
    [2, '{ elicitations(first: 100) { edges { node { evaluations { verdict } } } } }'],
    [5, '{ elicitations(first: 100) { edges { node { evaluations { elicitation { message } session { policies { name } } } } } } }'],
    [4, '{ sessions(first: 50) { edges { node { policies { session { id } } agent { name } } } } }'],
  ])('%i: %s', async (count, document) => {
    api.statementCount();
    await api.run(document);
    expect(api.statementCount()).toBe(count);
  });

  it('asks for the other end of a page only where there can be something', async () => {
    api.statementCount();
    const { pageInfo } = await api.ask('{ agents { pageInfo { endCursor } } }');
    expect(api.statementCount()).toBe(1);
    await api.ask('query ($after: String) { agents(after: $after) { pageInfo { hasPreviousPage } } }', { after: pageInfo.endCursor });
    expect(api.statementCount()).toBe(2);
  });
});

describe('an ALLOW', () => {
  it('with the fields of its own reads nothing once the session is known', async () => {
    const allow = () =>
      api.ask(
        `mutation ($id: ID!) { evaluatePolicy(input: { sessionId: $id, event: { toolCall: { name: "search" } } }) {
          ... on Evaluation { id phase event verdict status decidedBy reason decidingPolicies data createdAt decidedAt elicitation { id } } } }`,
        { id: sessionId },
      );
    expect(await allow()).toMatchObject({ verdict: 'ALLOW' });
    const counts: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      api.statementCount();
      await allow();
      counts.push(api.statementCount());
    }
    expect(Math.min(...counts)).toBeLessThanOrEqual(1); // its record; a sweep may come in between
  });
});
