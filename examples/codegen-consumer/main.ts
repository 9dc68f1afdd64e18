import { GraphQLClient } from 'graphql-request';
import { graphql } from './generated/gql.ts';
import type { EvaluatePolicyInput } from './generated/graphql.ts';

/** Asks as an agent, accepts as an approver, and takes the answer up; all of it typed by schema.graphql alone. */
const client = new GraphQLClient(process.env['COUNTERSIGN_URL'] ?? 'http://127.0.0.1:4000/graphql');

const createAgent = graphql(`
  mutation CreateAgent($input: CreateAgentInput!) {
    createAgent(input: $input) { __typename ... on Agent { id } ... on Error { message } }
  }
`);
const createSession = graphql(`
  mutation CreateSession($input: CreateSessionInput!) {
    createSession(input: $input) { __typename ... on Session { id } ... on Error { message } }
  }
`);
const createPolicy = graphql(`
  mutation CreatePolicy($input: CreatePolicyInput!) {
    createPolicy(input: $input) { __typename ... on Policy { id } ... on Error { message } }
  }
`);
const evaluate = graphql(`
  mutation Evaluate($input: EvaluatePolicyInput!) {
    evaluatePolicy(input: $input) {
      __typename
      ... on Evaluation { verdict reason elicitation { id message digest } }
      ... on Error { message }
    }
  }
`);
const resolve = graphql(`
  mutation Resolve($input: ResolveElicitationInput!) {
    resolveElicitation(input: $input) { __typename ... on Elicitation { status } ... on Error { message } }
  }
`);

const agent = only('Agent', (await client.request(createAgent, { input: { name: `codegen consumer ${String(process.pid)}` } })).createAgent);
const session = only('Session', (await client.request(createSession, { input: { agentId: agent.id } })).createSession);
only('Policy', (await client.request(createPolicy, { input: { target: { sessionId: session.id }, name: 'ask', handler: 'safety.ask_on_os_tools' } })).createPolicy);

const act: EvaluatePolicyInput = { sessionId: session.id, idempotencyKey: 'toolu_1', event: { toolCall: { name: 'Bash', arguments: { command: 'ls' } } } };
const asked = only('Evaluation', (await client.request(evaluate, { input: { ...act, waitSeconds: 0 } })).evaluatePolicy);
console.log(asked.verdict, asked.elicitation?.message);

if (asked.elicitation) {
  const { id, digest } = asked.elicitation;
  console.log(only('Elicitation', (await client.request(resolve, { input: { elicitationId: id, expectedDigest: digest, action: 'ACCEPT' } })).resolveElicitation).status);
}
console.log(only('Evaluation', (await client.request(evaluate, { input: act })).evaluatePolicy).verdict);

/** The success member of a result. Throws what any other member says. */
function only<Result extends { __typename: string; message?: string }, Name extends Result['__typename']>(name: Name, result: Result): Extract<Result, { __typename: Name }> {
  if (result.__typename !== name) throw new Error(result.message ?? result.__typename);
  return result as Extract<Result, { __typename: Name }>;
}
