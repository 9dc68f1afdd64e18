import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What can be wrong with a server that a hook asks; `denying`: nothing, it denies everything. */
export const serverFaults = ['denying', 'down', '401', '429', '500', 'slow', 'garbage'] as const;

export type ServerFault = (typeof serverFaults)[number];

export interface DrillServer {
  urlFor(fault: ServerFault): string;
  close(): void;
}

/** What it says of a call that it denies. */
export const drillReason = 'This is a drill.';

/** The name of its only agent. */
export const drillAgent = 'countersign-doctor';

/** A server on this machine that goes wrong as it is asked to, by the path of its URL. */
export async function startDrillServer(): Promise<DrillServer> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => answer(response, faultIn(request.url ?? ''), body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const downPort = await closedPort();
  return {
    urlFor: (fault) => `http://127.0.0.1:${fault === 'down' ? downPort : port}/${fault}/graphql`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function faultIn(path: string): ServerFault {
  return serverFaults.find((fault) => path.startsWith(`/${fault}/`)) ?? 'garbage';
}

function answer(response: ServerResponse, fault: ServerFault, body: string): void {
  switch (fault) {
    case 'denying':
      return send(response, { data: denial(body) });
    case '401':
      return send(response, { errors: [{ message: 'Not signed in.', extensions: { code: 'UNAUTHENTICATED' } }] }, 401);
    case '429':
      return send(response, { errors: [{ message: 'Too many calls.', extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 60 } }] }, 429);
    case '500':
      return send(response, { errors: [{ message: 'Unexpected error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] }, 500);
    case 'garbage':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"evaluatePolicy":{"__typename":"Evaluation","verdict":"ALL');
    case 'slow':
    case 'down':
      return; // it is never answered
    default:
      fault satisfies never;
  }
}

function denial(body: string): object {
  if (body.includes('evaluatePolicy(')) {
    return { evaluatePolicy: { __typename: 'Evaluation', id: 'evl_drill', verdict: 'DENY', status: 'DECIDED', decidedBy: 'POLICY', reason: drillReason, data: null, elicitation: null } };
  }
  if (body.includes('createSession(')) return { createSession: { __typename: 'Session', id: 'ses_drill' } };
  return { agents: { pageInfo: { hasNextPage: false, endCursor: null }, edges: [{ node: { id: 'agt_drill', name: drillAgent } }] } };
}

function send(response: ServerResponse, json: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}
