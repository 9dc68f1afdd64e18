import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a server, or what stands in its place, fails a hook. */
export const faults: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'refuses the credential (401)': (response) => void response.writeHead(401).end('{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]}'),
  'is forbidden (403), without JSON': (response) => void response.writeHead(403).end('Forbidden'),
  'is asked too often (429)': (response) => void response.writeHead(429, { 'retry-after': '60' }).end('{"errors":[{"message":"slow down","extensions":{"code":"RATE_LIMITED","retryAfterSeconds":60}}]}'),
  'fails (500)': (response) => void response.writeHead(500).end('{"errors":[{"message":"Unexpected error","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}'),
  'is behind a proxy that fails (502)': (response) => void response.writeHead(502).end('<html>Bad Gateway</html>'),
  'answers with a page': (response) => void response.end('<html>Welcome</html>'),
  'answers with half of an ALLOW': (response) => void response.end('{"data":{"evaluatePolicy":{"__typename":"Evaluation","verdict":"ALLOW","status":"DEC'),
  'says ALLOW where no evaluation is': (response) => void response.end('{"data":{"agents":"ALLOW","createSession":"ALLOW","evaluatePolicy":"ALLOW"},"verdict":"ALLOW"}'),
  'cuts the connection': (response) => void response.destroy(),
  'redirects': (response) => void response.writeHead(307, { location: 'https://elsewhere.example/graphql' }).end(),
  'says nothing': () => undefined,
};

/** Fails as it is told by the path. */
export async function startFaultyServer(): Promise<{ urlFor(fault: string): string; close(): void }> {
  const names = Object.keys(faults);
  const server = createServer((request, response) => {
    request.resume().on('end', () => faults[names[Number(request.url?.split('/')[1])] ?? '']?.(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (fault) => `http://127.0.0.1:${port}/${names.indexOf(fault)}/graphql`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
