import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server received, as it came over the wire. */
export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly temperature: number;
    readonly response_format: { readonly type: string; readonly json_schema: { readonly name: string; readonly strict: boolean; readonly schema: object } };
  };
}

/** How it answers one request. */
export type Reply = (response: ServerResponse, request: ModelRequest) => void;

export interface ModelServer {
  /** To be configured. */
  readonly baseUrl: string;
  readonly requests: readonly ModelRequest[];
  /** One reply per request, in order; the last one answers all further ones. */
  replies(...replies: readonly Reply[]): void;
  /** Requests that are still open. */
  readonly open: () => number;
  close(): Promise<void>;
}

/** A real server on a free port that speaks OpenAI's chat completions. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let script: readonly Reply[] = [status(503)];
  let open = 0;
  const server = createServer((incoming, response) => {
    open += 1;
    response.on('close', () => (open -= 1));
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    incoming.on('end', () => {
      const request: ModelRequest = { path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(text) };
      requests.push(request);
      const [reply = status(503), ...rest] = script;
      if (rest.length > 0) script = rest;
      reply(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    replies(...replies) {
      script = replies;
    },
    open: () => open,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The model says this; an object is said as JSON. */
export function says(answer: string | object): Reply {
  return completion({ choices: [{ index: 0, message: { role: 'assistant', content: typeof answer === 'string' ? answer : JSON.stringify(answer) }, finish_reason: 'stop' }] });
}

/** Any body, well-formed or not. */
export function completion(body: unknown, type = 'application/json; charset=utf-8'): Reply {
  return (response) => response.writeHead(200, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
}

export function status(code: number, headers: Record<string, string> = {}): Reply {
  return (response) => response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"sk-secret was wrong"}}');
}

export const hangs: Reply = () => undefined;

export const hangsUp: Reply = (response) => response.destroy();

/** Sends headers and a first byte, and nothing more. */
export const stalls: Reply = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{');

/** Sends without end. */
export const floods: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = ' '.repeat(65_536);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

export function slow(milliseconds: number, reply: Reply): Reply {
  return (response, request) => void setTimeout(() => reply(response, request), milliseconds);
}
