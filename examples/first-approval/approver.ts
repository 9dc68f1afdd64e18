import { gql, GraphQLClient } from 'graphql-request';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/**
 * The approver's process: watches one session and answers the first ask. Usage: node approver.ts <url> <session id> ACCEPT|DECLINE.
 * Prints a line when it watches, one with what it saw, one with what it decided.
 */
const [url = '', sessionId = '', action = ''] = process.argv.slice(2);

interface Elicitation {
  readonly id: string;
  readonly message: string;
  readonly contentPreview: string;
  readonly digest: string;
}

const elicitationRequested = gql`
  subscription Watch($sessionId: ID) {
    elicitationRequested(sessionId: $sessionId) {
      id
      message
      contentPreview
      digest
    }
  }
`;

const pendingElicitations = gql`
  query Pending($sessionId: ID!) {
    session(id: $sessionId) {
      pendingElicitationCount
      pendingElicitations {
        id
      }
    }
  }
`;

const resolveElicitation = gql`
  mutation Resolve($input: ResolveElicitationInput!) {
    resolveElicitation(input: $input) {
      __typename
      ... on Elicitation {
        id
        status
        resolution {
          action
          by {
            name
          }
        }
      }
      ... on Error {
        message
      }
    }
  }
`;

const client = new GraphQLClient(url);
const live = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket });
const asks = live.iterate<{ elicitationRequested: Elicitation }>({ query: elicitationRequested, variables: { sessionId } });
live.on('connected', () => print({ watching: sessionId }));

for await (const { data } of asks) {
  if (!data) continue;
  const { id, digest } = data.elicitationRequested;
  const { session } = await client.request<{ session: { pendingElicitations: { id: string }[] } }>(pendingElicitations, { sessionId });
  print({ saw: data.elicitationRequested, snapshot: session.pendingElicitations.map((pending) => pending.id) });
  const comment = action === 'DECLINE' ? 'Not on this machine.' : null;
  const { resolveElicitation: decided } = await client.request<{ resolveElicitation: object }>(resolveElicitation, { input: { elicitationId: id, action, expectedDigest: digest, comment } });
  print({ decided });
  break;
}
await live.dispose();

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
