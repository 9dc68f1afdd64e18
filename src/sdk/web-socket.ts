import { createClient, type Client } from 'graphql-ws';
import { authorizationOf, type Token } from './authorization.ts';
import { isObject, requestErrorOf } from './answer.ts';
import { MalformedAnswerError, RequestError, UnreachableError, type CountersignError } from './errors.ts';
import type { Send } from './http.ts';

export interface Socket {
  readonly send: Send;
  /** One subscription, until it ends, fails or is aborted. It does not come back by itself. */
  readonly stream: (request: Parameters<Send>[0], signal: AbortSignal) => AsyncIterable<unknown>;
  readonly close: () => void;
}

/** The socket could not be opened: nothing was sent. */
export class SocketNotOpenedError extends UnreachableError {}

const openWithinMilliseconds = 10_000;
const pingEveryMilliseconds = 10_000;
const pongWithinMilliseconds = 10_000;

/** The socket stays open so long after its last call, so that the next one finds it open. It keeps a process of Node alive meanwhile. */
const idleMilliseconds = 1000;

/** One WebSocket for all calls, opened by the first one. Each call that is under way when it breaks rejects with an UnreachableError. */
export function createSocket({ url, token, webSocket }: { url: string; token: Token | undefined; webSocket?: unknown }): Socket {
  let isOpen = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const within = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => client.terminate(), milliseconds);
  };
  const closed = () => {
    isOpen = false;
    clearTimeout(timer);
  };
  const client: Client = createClient({
    url: url.replace(/^http/, 'ws'),
    connectionParams: () => authorizationOf(token),
    webSocketImpl: webSocket,
    lazyCloseTimeout: idleMilliseconds,
    keepAlive: pingEveryMilliseconds,
    retryAttempts: 0, // whoever calls knows what may be sent again
    on: {
      connecting: () => within(openWithinMilliseconds),
      connected: () => {
        isOpen = true;
        clearTimeout(timer);
      },
      ping: (isReceived) => {
        if (!isReceived) within(pongWithinMilliseconds); // a network that loses everything tells nobody
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(timer);
      },
      error: closed,
      closed,
    },
  });

  /** What ended a call, as an error of ours. `wasOpen`: it may have been sent. */
  function failureOf(error: unknown, wasOpen: boolean): CountersignError | TypeError {
    if (Array.isArray(error)) return requestErrorOf(error);
    if (error instanceof TypeError) return error; // variables that are no JSON
    const { code, reason } = isObject(error) ? error : {};
    if (code === 4401 || code === 4403) return new RequestError('The server does not know this credential.', { code: 'UNAUTHENTICATED' });
    if (code === 4429) return new RequestError(String(reason), { code: 'TOO_MANY_FAILED_LOGINS' });
    if (code === 1009) return new RequestError('The request is larger than the server takes.', { code: 'PAYLOAD_TOO_LARGE' });
    if (code === 4004) return new MalformedAnswerError('What answers at this address does not speak graphql-transport-ws.');
    const message = typeof code === 'number' ? `The WebSocket was closed with code ${code}.` : 'The WebSocket failed.';
    return wasOpen ? new UnreachableError(message) : new SocketNotOpenedError(message);
  }

  return {
    send: ({ query, variables }, signal) =>
      new Promise((resolve, reject) => {
        let wasOpen = isOpen;
        const unlisten = client.on('connected', () => (wasOpen = true));
        const stop = client.subscribe(
          { query, variables: { ...variables } },
          {
            next: (answer) => finish(() => resolve(answer)),
            error: (error) => finish(() => reject(failureOf(error, wasOpen))),
            complete: () => finish(() => reject(new UnreachableError('The call ended without an answer.'))),
          },
        );
        const abort = () => {
          finish(() => reject(signal.reason as Error));
          stop();
        };
        function finish(settle: () => void) {
          unlisten();
          signal.removeEventListener('abort', abort);
          settle();
        }
        signal.addEventListener('abort', abort, { once: true });
        if (signal.aborted) abort();
      }),
    async *stream({ query, variables }, signal) {
      let wasOpen = isOpen;
      const unlisten = client.on('connected', () => (wasOpen = true));
      const answers = client.iterate({ query, variables: { ...variables } });
      const abort = () => void answers.return?.();
      signal.addEventListener('abort', abort, { once: true });
      try {
        if (!signal.aborted) for await (const answer of answers) yield answer;
      } catch (error) {
        throw failureOf(error, wasOpen);
      } finally {
        unlisten();
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => void Promise.resolve(client.dispose()).catch(() => undefined), // it may be failing to open
  };
}
