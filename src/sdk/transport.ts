import { valueOf } from './answer.ts';
import type { Token } from './authorization.ts';
import { ClosedError, RequestError } from './errors.ts';
import { readEventStream } from './event-stream.ts';
import { createHttp, type Fetch } from './http.ts';
import { createSocket, SocketNotOpenedError } from './web-socket.ts';

export interface TransportOptions {
  /** Where GraphQL is, such as `http://127.0.0.1:4000/graphql`. */
  readonly url: string;
  /** Omitted: none, for a server without keys. */
  readonly token?: Token | undefined;
  /** `auto`: one WebSocket for all calls, HTTP where none can be opened. `http`: HTTP alone, for a process that makes one call. Default: `auto`. */
  readonly transport?: 'auto' | 'http' | undefined;
  /** Default: the global one. */
  readonly fetch?: Fetch | undefined;
  /** A class with the interface of the browsers' WebSocket. Default: the global one. */
  readonly webSocket?: unknown;
}

/** What an operation is sent as, and read by. */
export interface Sendable {
  readonly field: string;
  readonly document: { toString(): string };
  readonly isRepeatable: boolean;
}

export interface Transport {
  /** One attempt. Resolves to the value of the operation's field. */
  readonly call: (operation: Sendable, variables: object, signal: AbortSignal) => Promise<unknown>;
  /** One subscription, until the server ends it, it fails or is aborted. */
  readonly stream: (operation: Sendable, variables: object, signal: AbortSignal) => AsyncIterable<unknown>;
  /** Aborted with a ClosedError by `close`; calls and streams then end. */
  readonly closed: AbortSignal;
  readonly close: () => void;
}

/** After the server could be reached over HTTP but not by a WebSocket: something on the way does not let them through. */
const withoutSocketMilliseconds = 60_000;

export function createTransport({ url, token, transport = 'auto', fetch, webSocket = globalThis.WebSocket }: TransportOptions): Transport {
  const http = createHttp({ url, token, fetch });
  const socket = transport === 'auto' && webSocket !== undefined ? createSocket({ url, token, webSocket }) : null;
  const closing = new AbortController();
  const orClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);
  let httpUntil = 0;
  const usable = () => (performance.now() < httpUntil ? null : socket);
  const doWithoutSocket = () => (httpUntil = performance.now() + withoutSocketMilliseconds);

  async function send(operation: Sendable, variables: object, signal: AbortSignal): Promise<unknown> {
    const request = { query: operation.document.toString(), variables };
    const open = operation.isRepeatable ? usable() : null; // over a socket that breaks it cannot be told whether a call was sent once
    if (open) {
      try {
        return await open.send(request, signal);
      } catch (error) {
        if (!(error instanceof SocketNotOpenedError)) throw error;
      }
    }
    const answer = await http(request, signal);
    if (open) doWithoutSocket();
    return answer;
  }

  async function* stream({ document }: Sendable, variables: object, signal: AbortSignal): AsyncGenerator {
    const request = { query: document.toString(), variables };
    const open = usable();
    if (open) {
      try {
        yield* open.stream(request, signal);
        return;
      } catch (error) {
        if (!(error instanceof SocketNotOpenedError)) throw error;
      }
    }
    for await (const answer of readEventStream(request, { url, token, fetch, signal })) {
      if (open) doWithoutSocket();
      yield answer;
    }
  }

  return {
    async call(operation, variables, signal) {
      closing.signal.throwIfAborted();
      const attempt = async () => valueOf(await send(operation, variables, orClosed(signal)), operation.field);
      try {
        return await attempt();
      } catch (error) {
        if (!isUnauthenticated(error) || typeof token !== 'function') throw error;
        return attempt(); // the token may have run out meanwhile: the function is asked for another
      }
    },
    async *stream(operation, variables, signal) {
      for await (const answer of stream(operation, variables, orClosed(signal))) yield valueOf(answer, operation.field);
    },
    closed: closing.signal,
    close() {
      closing.abort(new ClosedError());
      socket?.close();
    },
  };
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof RequestError && (error.code === 'UNAUTHENTICATED' || error.code === 'HTTP_401');
}
