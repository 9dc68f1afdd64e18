import { gql, GraphQLClient } from 'graphql-request';

/** The agent's process: asks before it acts, and waits. Usage: node agent.ts <url> <session id> <command>. Prints the answer as JSON. */
const [url = '', sessionId = '', command = ''] = process.argv.slice(2);

const evaluatePolicy = gql`
  mutation Evaluate($input: EvaluatePolicyInput!) {
    evaluatePolicy(input: $input) {
      __typename
      ... on Evaluation {
        id
        verdict
        status
        decidedBy
        reason
        decidingPolicies
      }
      ... on Error {
        message
      }
    }
  }
`;

const client = new GraphQLClient(url);
const input = { sessionId, event: { toolCall: { name: 'Bash', arguments: { command } } }, idempotencyKey: `demo: ${command}` };
const { evaluatePolicy: answer } = await client.request<{ evaluatePolicy: object }>(evaluatePolicy, { input });
process.stdout.write(`${JSON.stringify(answer)}\n`);
