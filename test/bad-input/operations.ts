import type { World } from './world.ts';

/** How a root field is called, and an input that it takes. */
export interface Operation {
  readonly kind: 'mutation' | 'query';
  readonly success: string;
  /** Of the success type, where the ids are of what was written. */
  readonly ids: string;
  /** What was written, and all of it that a caller can have given. */
  readonly stored?: { readonly type: string; readonly selection: string };
  /** A good input in which the field at this path can be put. */
  base(world: World, path: readonly string[]): Promise<object> | object;
}

const agent = { type: 'Agent', selection: 'name description askTimeoutSeconds labelDefinitions { key initial values }' };
const session = { type: 'Session', selection: 'title parent { id } labels model harness' };
const policy = { type: 'Policy', selection: 'name level handler { name } params on { phase toolName } condition writableLabels askTimeoutSeconds enabled' };
const usage = { type: 'Session', selection: 'usage { inputTokens outputTokens totalTokens cacheReadInputTokens cacheCreationInputTokens totalCostUsd }' };
const evaluation = { type: 'Evaluation', selection: 'event' };
const elicitation = { type: 'Elicitation', selection: 'resolution { action content comment editedArguments }' };
const definitions = (path: readonly string[]) => (path[0] === 'labelDefinitions' ? { labelDefinitions: [{ key: 'a' }] } : {});
const selectors = (path: readonly string[]) => (path[0] === 'on' ? { on: [{ phase: 'TOOL_CALL' }] } : {});

function event(path: readonly string[]): object {
  switch (path[1] ?? '') {
    case 'request':
      return { request: { content: 'hi', attachments: [{ filename: 'a.txt' }] } };
    case 'response':
      return { response: { content: 'hi' } };
    case 'toolResult':
      return { toolResult: { name: 'Read', result: 'x', call: { name: 'Read', arguments: {} } } };
    case 'llmRequest':
      return { llmRequest: { model: 'a' } };
    case 'llmResponse':
      return { llmResponse: { model: 'a' } };
    default:
      return { toolCall: { name: 'Read', arguments: { path: 'a' } } };
  }
}

const apiKey = { type: 'ApiKey', selection: 'name role owner { id } agents ownSessionsOnly expiresAt' };

export const operations: Readonly<Record<string, Operation>> = {
  createApiKey: { kind: 'mutation', success: 'CreatedApiKey', ids: 'key { id }', stored: apiKey, base: (world) => ({ name: world.unused('key'), role: 'VIEWER' }) },
  revokeApiKey: { kind: 'mutation', success: 'ApiKey', ids: 'id', base: ({ ids }) => ({ keyId: ids.key }) },
  createAgent: { kind: 'mutation', success: 'Agent', ids: 'id', stored: agent, base: (world, path) => ({ name: world.unused('agent'), ...definitions(path) }) },
  updateAgent: { kind: 'mutation', success: 'Agent', ids: 'id', stored: agent, base: ({ ids }, path) => ({ agentId: ids.agent, ...definitions(path) }) },
  createSession: { kind: 'mutation', success: 'Session', ids: 'id', stored: session, base: ({ ids }) => ({ agentId: ids.agent }) },
  updateSession: { kind: 'mutation', success: 'Session', ids: 'id', stored: session, base: async (world) => ({ sessionId: await world.newSession() }) },
  endSession: { kind: 'mutation', success: 'Session', ids: 'id', stored: session, base: ({ ids }) => ({ sessionId: ids.session }) },
  createPolicy: {
    kind: 'mutation',
    success: 'Policy',
    ids: 'id',
    stored: policy,
    base: ({ unused, otherSession }, path) => ({ target: { sessionId: otherSession }, name: unused('policy'), handler: 'safety.max_tool_calls_per_session', ...selectors(path), ...(path[0] === 'target' ? { target: {} } : {}) }),
  },
  updatePolicy: { kind: 'mutation', success: 'Policy', ids: 'id', stored: policy, base: ({ ids }, path) => ({ policyId: ids.policy, ...selectors(path) }) },
  deletePolicy: { kind: 'mutation', success: 'DeletedPolicy', ids: 'id', base: ({ ids }) => ({ policyId: ids.policy }) },
  evaluatePolicy: { kind: 'mutation', success: 'Evaluation', ids: 'id', stored: evaluation, base: ({ ids }, path) => ({ sessionId: ids.session, waitSeconds: 0, event: event(path) }) },
  withdrawEvaluation: {
    kind: 'mutation',
    success: 'Evaluation',
    ids: 'id',
    base: ({ ids, key, askingSession }, [field]) => (field === 'sessionId' || field === 'idempotencyKey' ? { sessionId: askingSession, idempotencyKey: key } : { evaluationId: ids.evaluation }),
  },
  resolveElicitation: { kind: 'mutation', success: 'Elicitation', ids: 'id', stored: elicitation, base: async (world) => ({ elicitationId: await world.pendingElicitation(), action: 'ACCEPT' }) },
  resolveElicitations: { kind: 'mutation', success: 'ResolvedElicitations', ids: 'elicitations { id }', stored: elicitation, base: async (world) => ({ ids: [await world.pendingElicitation()], action: 'DECLINE' }) },
  recordUsage: { kind: 'mutation', success: 'Session', ids: 'id', stored: usage, base: async (world) => ({ sessionId: await world.newSession() }) },
  simulatePolicy: { kind: 'query', success: 'EvaluationPreview', ids: 'verdict', base: (_world, path) => ({ handler: 'safety.max_tool_calls_per_session', event: event(path) }) },
  previewEvaluation: { kind: 'query', success: 'EvaluationPreview', ids: 'verdict', base: ({ ids }, path) => ({ sessionId: ids.session, event: event(path) }) },
};
