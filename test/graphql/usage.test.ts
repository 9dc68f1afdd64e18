import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openApi, type Api } from './api.ts';
import { createSession, startSession } from './journey.ts';

let api: Api;

beforeEach(async () => {
  api = await openApi();
});

afterEach(async () => {
  await api.close();
});

const fields = 'usage { inputTokens outputTokens totalTokens cacheReadInputTokens cacheCreationInputTokens totalCostUsd }';

function recordUsage(input: object) {
  return api.ask(
    `mutation ($input: RecordUsageInput!) {
      recordUsage(input: $input) { __typename ... on Session { id ${fields} } ... on InvalidInputError { issues { path message } } ... on NotFoundError { id } ... on Error { message } }
    }`,
    { input },
  );
}

describe('recordUsage', () => {
  it('answers the session with what it has used by now', async () => {
    const { sessionId } = await startSession(api);
    await recordUsage({ sessionId, inputTokens: 3_000_000_000, outputTokens: 5, costUsd: 0.1 });
    expect(await recordUsage({ sessionId, cacheReadInputTokens: 7, cacheCreationInputTokens: 1, costUsd: 0.2 })).toEqual({
      __typename: 'Session',
      id: sessionId,
      usage: { inputTokens: 3_000_000_000, outputTokens: 5, totalTokens: 3_000_000_005, cacheReadInputTokens: 7, cacheCreationInputTokens: 1, totalCostUsd: 0.3 },
    });
  });

  it('says what is wrong with a report, and where', async () => {
    const { sessionId } = await startSession(api);
    expect(await recordUsage({ sessionId, inputTokens: -1 })).toMatchObject({ __typename: 'InvalidInputError', issues: [{ path: ['inputTokens'], message: 'must not be negative' }] });
    expect(await recordUsage({ sessionId: 'ses_x', inputTokens: 1 })).toMatchObject({ __typename: 'NotFoundError', id: 'ses_x' });
    await recordUsage({ sessionId, idempotencyKey: 'k', inputTokens: 1 });
    expect(await recordUsage({ sessionId, idempotencyKey: 'k', inputTokens: 2 })).toMatchObject({ __typename: 'ConflictError' });
  });

  it('takes no text for a number', async () => {
    const { sessionId } = await startSession(api);
    await expect(recordUsage({ sessionId, inputTokens: '1' })).rejects.toThrow('Float cannot represent non numeric value: "1"');
  });
});

describe('usage', () => {
  it('is the session’s own, nothing at first and without a price', async () => {
    const { agentId, sessionId } = await startSession(api);
    const child = await createSession(api, { agentId, parentId: sessionId });
    await recordUsage({ sessionId: child.id, inputTokens: 1, costUsd: 1 });
    const nothing = { inputTokens: 0, outputTokens: 0, totalTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, totalCostUsd: null };
    expect(await api.ask(`query ($id: ID!) { session(id: $id) { ${fields} } }`, { id: sessionId })).toEqual({ usage: nothing });
  });

  it('of a page of sessions is read with one statement', async () => {
    for (let index = 0; index < 3; index += 1) await recordUsage({ sessionId: (await startSession(api, { name: `agent ${index}` })).sessionId, inputTokens: index });
    api.statementCount();
    const page = await api.ask(`{ sessions { edges { node { ${fields} } } } }`);
    const withUsage = api.statementCount();
    await api.ask('{ sessions { edges { node { id } } } }');
    expect(withUsage).toBe(api.statementCount() + 1);
    expect(page.edges.map(({ node }: { node: { usage: { inputTokens: number } } }) => node.usage.inputTokens)).toEqual([2, 1, 0]);
  });
});
