import type { Api, Caller } from './api.ts';

/** The documents that many tests start with. Each gives the answer's object. */
export function createAgent(api: Api, input: { name: string; [field: string]: unknown } = { name: 'coder' }) {
  return api.ask('mutation ($input: CreateAgentInput!) { createAgent(input: $input) { __typename ... on Agent { id name } ... on Error { message } } }', { input });
}

export function createSession(api: Api, input: { agentId: string; [field: string]: unknown }) {
  return api.ask('mutation ($input: CreateSessionInput!) { createSession(input: $input) { __typename ... on Session { id title } ... on Error { message } } }', { input });
}

/** A session of a new agent. */
export async function startSession(api: Api, { name = 'coder', ...session }: { name?: string; [field: string]: unknown } = {}) {
  const agent = await createAgent(api, { name });
  return { agentId: agent.id as string, sessionId: (await createSession(api, { agentId: agent.id, ...session })).id as string };
}

export function createPolicy(api: Api, input: { target: object; [field: string]: unknown }) {
  return api.ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { __typename ... on Policy { id name } ... on Error { message } } }', {
    input: { name: 'os tools', handler: 'safety.ask_on_os_tools', ...input },
  });
}

/** A call of Bash, as a ticket: answered at once, waits on. */
export function evaluate(api: Api, sessionId: string, { command = 'ls', caller, ...input }: { command?: string; caller?: Caller; [field: string]: unknown } = {}) {
  return api.ask(
    `mutation ($input: EvaluatePolicyInput!) {
      evaluatePolicy(input: $input) { __typename ... on Evaluation { id verdict status decidedBy reason decidingPolicies data elicitation { id digest } } ... on Error { message } }
    }`,
    { input: { sessionId, waitSeconds: 0, event: { toolCall: { name: 'Bash', arguments: { command } } }, ...input } },
    caller,
  );
}

export function resolve(api: Api, input: { elicitationId: string; action: string; [field: string]: unknown }, caller?: Caller) {
  return api.ask(
    `mutation ($input: ResolveElicitationInput!) {
      resolveElicitation(input: $input) {
        __typename
        ... on Elicitation { id status resolution { action comment content editedArguments by { kind id name } at } }
        ... on InvalidInputError { message issues { path message } }
        ... on NotFoundError { message id }
        ... on ForbiddenError { message }
        ... on AlreadyResolvedError { message elicitation { id status } }
        ... on StaleElicitationError { message elicitation { id digest } }
        ... on EditRefusedError { message policy issues { path message } }
      }
    }`,
    { input },
    caller,
  );
}
