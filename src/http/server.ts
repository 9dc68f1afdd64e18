import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as SocketServer, type Socket } from 'node:net';
import type { GraphQLSchema } from 'graphql';
import type { OnLimitHit } from '../gate/limit-hit.ts';
import type { OnSignInFailed } from '../gate/refusal-watch.ts';
import { admitBy, type LoginLimits } from './admit.ts';
import type { Authenticate } from './authenticate.ts';
import type { DocumentLimits } from './document-limits.ts';
import { sendGraphiQL, wantsGraphiQL } from './graphiql.ts';
import { answerGraphQL } from './graphql-endpoint.ts';
import { answerHealth, answerReadiness, type Health } from './health.ts';
import type { HoldTimes } from './hold.ts';
import { InFlight } from './in-flight.ts';
import type { Listener } from './listen.ts';
import type { ServerLog } from './log.ts';
import { createMaskError } from './mask-error.ts';
import { answerMetrics, type MetricsText } from './metrics-endpoint.ts';
import { networkOf } from './network-of.ts';
import { checkOrigin, corsHeaders, type OriginRules } from './origin.ts';
import { isPage, sendPage } from './pages.ts';
import { openRates, type RateLimits } from './rates.ts';
import { refusalBody, refuse, type Refusal } from './refusal.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
import { createProtocol, type WebSocketOperation } from './websocket.ts';
import { Turnstile } from './turnstile.ts';
import { openWebSockets } from './websocket-server.ts';
import { openYoga, type YogaParts } from './yoga.ts';

export interface HttpParts {
  readonly schema: GraphQLSchema;
  /** The GraphQL context of one operation. */
  readonly contextOf: YogaParts['contextOf'];
  readonly authenticate: Authenticate;
  readonly health: Omit<Health, 'isDraining'>;
  readonly metrics: MetricsText;
  readonly log: ServerLog;
  readonly onLimitHit: OnLimitHit;
  readonly onSignInFailed: OnSignInFailed;
  /** Null: any document is taken. */
  readonly trusted: TrustedDocuments | null;
  readonly settings: HttpSettings;
}

export interface HttpSettings extends OriginRules {
  readonly graphiql: boolean;
  readonly introspection: boolean;
  readonly shutdownSeconds: number;
  readonly keepAlive: HoldTimes & { readonly pingEverySeconds: number };
  readonly limits: DocumentLimits & RateLimits & LoginLimits & {
    readonly documentComplexity: number;
    readonly bodyBytes: number;
    readonly documentTokens: number;
    readonly subscriptionsPerConnection: number;
    readonly subscriptionsPerCredential: number;
    readonly callsPerConnection: number;
  };
}

export interface HttpServer {
  /** From now on: not ready, no new connections, and each answer is the last on its connection. */
  readonly drain: () => void;
  /** Drains, lets the answers that are under way reach their callers, and closes. What is left after `shutdownSeconds` is cut. */
  readonly close: () => Promise<void>;
}

/** Serves everything on one port: GraphQL over HTTP, server-sent events and WebSockets, GraphiQL, health. */
export function serveHttp(listener: Listener, { schema, contextOf, authenticate, health, metrics, log, onLimitHit, onSignInFailed, trusted, settings }: HttpParts): HttpServer {
  const { server } = listener;
  const { keepAlive, limits } = settings;
  let isDraining = false;
  const maskError = createMaskError(log);
  const turnstile = new Turnstile();
  const rates = openRates(limits, onLimitHit);
  const { yoga, pipelines } = openYoga({ schema, contextOf, maskError, limits, rates, turnstile, onLimitHit, introspection: settings.introspection });
  const responses = new InFlight<ServerResponse>();
  const streams = new Set<ServerResponse>();
  const onStream = (response: ServerResponse) => {
    if (isDraining) response.end();
    else streams.add(response);
  };
  const admit = admitBy(authenticate, limits, { onLimitHit, onSignInFailed });
  const endpoint = { yoga, pipelines, admit, maskError, turnstile, rates, onLimitHit, trusted, bodyBytesMax: limits.bodyBytes, times: keepAlive, onStream };
  const calls = new InFlight<WebSocketOperation>();
  const sockets = openWebSockets({
    protocol: createProtocol({ pipelines, admit, trusted, maskError, limits, rates, calls, onLimitHit }),
    turnstile,
    messageBytesMax: limits.bodyBytes,
    pingEverySeconds: keepAlive.pingEverySeconds,
    log,
  });

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = checkOrigin(request.headers, settings);
    if (refusal) {
      refuse(response, refusal);
      return;
    }
    for (const [name, value] of Object.entries(corsHeaders(request.headers, settings))) response.setHeader(name, value);
    switch (pathOf(request)) {
      case '/graphql':
        if (request.method === 'OPTIONS') response.writeHead(204, { allow: 'GET, POST, OPTIONS' }).end();
        else if (settings.graphiql && wantsGraphiQL(request)) await sendGraphiQL(response);
        else await answerGraphQL(request, response, endpoint);
        break;
      case '/healthz':
        answerHealth(response);
        break;
      case '/readyz':
        await answerReadiness(response, { ...health, isDraining: () => isDraining });
        break;
      case '/metrics':
        await answerMetrics(request, response, { admit, metrics });
        break;
      default:
        if (isPage(pathOf(request))) await sendPage(request, response, pathOf(request));
        else refuse(response, notFound);
    }
  }

  function lastOnItsConnection(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('connection', 'close');
  }

  listener.serve({
    request(request, response) {
      const since = performance.now();
      responses.add(response);
      response.once('close', () => {
        responses.delete(response);
        streams.delete(response);
        const { method } = request;
        log.debug({ method, path: pathOf(request), status: response.statusCode, milliseconds: Math.round(performance.now() - since) }, 'request');
      });
      if (isDraining) lastOnItsConnection(response);
      route(request, response).catch((error: unknown) => {
        const masked = maskError(error);
        if (response.headersSent) response.end(refusalBody({ code: 'INTERNAL_SERVER_ERROR', message: masked.message }));
        else refuse(response, { status: 500, code: 'INTERNAL_SERVER_ERROR', message: masked.message });
      });
    },
    upgrade(request, socket, head) {
      turnstile.enter(networkOf(socket.remoteAddress), () => {
        const refusal = isDraining ? goingAway : (checkOrigin(request.headers, settings) ?? (pathOf(request) === '/graphql' ? null : notFound));
        if (refusal) refuseUpgrade(socket, refusal);
        else sockets.upgrade(request, socket, head);
      });
    },
  });

  let closed: Promise<unknown> | null = null;
  const drain = (): Promise<unknown> => {
    if (closed) return closed;
    isDraining = true;
    for (const response of responses) lastOnItsConnection(response);
    closed = once(server, 'close');
    // http's own close would also cut connections that are idle right now, though a request may be on its way.
    SocketServer.prototype.close.call(server);
    return closed;
  };

  return {
    drain: () => void drain(),
    async close() {
      const allClosed = drain();
      const timer = setTimeout(() => {
        sockets.cut();
        server.closeAllConnections();
      }, settings.shutdownSeconds * 1000);
      for (const response of streams) response.end(); // without saying that it is complete: its client comes back elsewhere
      await Promise.all([calls.empty(), responses.empty()]);
      sockets.goAway();
      server.closeIdleConnections();
      await allClosed;
      clearTimeout(timer);
      await yoga.dispose();
    },
  };
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function refuseUpgrade(socket: Socket, { status, code, message }: Refusal): void {
  const body = refusalBody({ code, message });
  socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
}

const notFound: Refusal = { status: 404, code: 'NOT_FOUND', message: 'Nothing is here. The console is at /, GraphQL at /graphql, health at /healthz and /readyz, metrics at /metrics.' };
const goingAway: Refusal = { status: 503, code: 'GOING_AWAY', message: 'This server is shutting down. Connect again.' };
