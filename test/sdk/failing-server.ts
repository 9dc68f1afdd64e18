import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers what it is told to, to calls and to WebSockets that are to be opened. */
export interface FailingServer {
  readonly url: string;
  /** How many requests it has answered. */
  readonly requests: () => number;
  close(): Promise<void>;
}

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export async function startFailingServer(answer: Answering): Promise<FailingServer> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => answer(request, response));
  });
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with this text, whatever is asked. */
export function says(text: string, { status = 200, contentType = 'application/json' } = {}): Answering {
  return (_request, response) => response.writeHead(status, { 'content-type': contentType }).end(text);
}

/** Answers evaluatePolicy with this. */
export function evaluates(evaluation: unknown): Answering {
  return says(JSON.stringify({ data: { evaluatePolicy: evaluation } }));
}
