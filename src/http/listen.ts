import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** An address that cannot be listened on. The message is one line and says what to do. */
class ListenFault extends Error {
  override readonly name = 'ListenFault';
}

export interface Handlers {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
}

export interface Listener {
  readonly server: Server;
  /** With the port that was really bound, without a trailing slash. */
  readonly url: string;
  /** What came before waits for this. */
  serve(handlers: Handlers): void;
}

/** Longer than the 60 s after which most proxies give up an idle connection: whoever reuses one must not find it half closed. */
const idleMilliseconds = 65_000;
const probeMilliseconds = 30_000;

/** Connections that may wait to be taken (Node's default is 511): after a restart all agents come back in one moment. Linux caps it at `net.core.somaxconn`, 4096 unless changed. */
const backlog = 4096;

/**
 * Binds the address. A connection that is made before `serve` is not refused, it waits: a client that comes back the moment a server
 * restarts finds it. Rejects with a `ListenFault`.
 */
export async function listen({ host, port, connectionsMax }: { host: string; port: number; connectionsMax: number }): Promise<Listener> {
  const ready = Promise.withResolvers<Handlers>();
  const server = createServer({ keepAlive: true, keepAliveInitialDelay: probeMilliseconds, keepAliveTimeout: idleMilliseconds }, (request, response) => {
    void ready.promise.then((handlers) => handlers.request(request, response));
  });
  server.maxConnections = connectionsMax;
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    void ready.promise.then((handlers) => handlers.upgrade(request, socket, head));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, `${host}:${port}`)));
    server.listen({ port, host, backlog }, resolve);
  });
  server.removeAllListeners('error');
  const bound = (server.address() as AddressInfo).port;
  return { server, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, serve: ready.resolve };
}

function listenFault(error: NodeJS.ErrnoException, address: string): ListenFault {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenFault(`${address} is in use: stop what listens there, or give another port with --port (0: any free one)`);
    case 'EACCES':
      return new ListenFault(`${address} is not allowed: give a port above 1023 with --port`);
    case undefined:
    default:
      return new ListenFault(`${address} cannot be listened on: ${error.message}`);
  }
}
