import { expect, it } from 'vitest';
import { startTestServer } from '../support/start-server.ts';
import { clientOf } from './client.ts';
import { fenceWith } from './fences.ts';

const page = 'docs/budgets.md';

it('the report and the budget that the page shows work together as it says', async () => {
  const server = await startTestServer();
  try {
    const client = clientOf(server.url);
    const { id: agentId } = await client.ask('mutation { createAgent(input: { name: "coder" }) { ... on Agent { id } } }');
    const { id: sessionId } = await client.ask('mutation ($agentId: ID!) { createSession(input: { agentId: $agentId }) { ... on Session { id } } }', { agentId });
    const report = () => client.ask(fenceWith(page, 'mutation Report').text, JSON.parse(fenceWith(page, '"model-call-17"').text.replace('ses_…', sessionId)));
    expect(await report()).toEqual(await report());
    expect(await client.ask(fenceWith(page, 'mutation Attach').text, JSON.parse(fenceWith(page, `"a tree's budget"`).text))).toMatchObject({ __typename: 'Policy' });
    const preview = 'query ($id: ID!) { previewEvaluation(input: { sessionId: $id, event: { request: { content: "Go on" } } }) { ... on EvaluationPreview { verdict } } }';
    expect(await client.ask(preview, { id: sessionId })).toEqual({ verdict: 'ALLOW' });
    await client.ask('mutation ($id: ID!) { recordUsage(input: { sessionId: $id, costUsd: 3 }) { __typename } }', { id: sessionId });
    expect(await client.ask(preview, { id: sessionId })).toEqual({ verdict: 'ASK' });
  } finally {
    await server.remove();
  }
});
