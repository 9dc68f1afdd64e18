import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols } from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ServerLog } from './log.ts';
import { networkOf } from './network-of.ts';
import { markedJson } from './parse-json.ts';
import type { Turnstile } from './turnstile.ts';
import { openConnection, type Protocol } from './websocket.ts';
import { inTurn } from './websocket-turns.ts';

export interface WebSocketParts {
  readonly protocol: Protocol;
  readonly turnstile: Turnstile;
  readonly messageBytesMax: number;
  readonly pingEverySeconds: number;
  readonly log: ServerLog;
}

export interface WebSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Tells every client that the server goes away; each then comes back elsewhere. */
  goAway(): void;
  /** Cuts what did not go. */
  cut(): void;
}

const goingAway = 1001;

/** Carries the protocol over the sockets of `ws`. */
export function openWebSockets({ protocol, turnstile, messageBytesMax, pingEverySeconds, log }: WebSocketParts): WebSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax, handleProtocols });

  function accept(socket: WebSocket, { headers: { authorization }, socket: stream }: IncomingMessage): void {
    const connection = openConnection({ authorization, network: networkOf(stream.remoteAddress), close: (code, reason) => socket.close(code, reason) });
    const stopPinging = ping(socket, pingEverySeconds);
    const gather = gatherWrites(stream);
    const send = (data: string): Promise<void> =>
      new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN) return resolve();
        if (socket.bufferedAmount > unreadBytesMax) {
          socket.terminate(); // it does not read: it comes back, or is gone
          return resolve();
        }
        gather();
        socket.send(data, (error) => {
          if (error) log.debug({ err: error }, 'a WebSocket message could not be sent'); // it closes by itself
          resolve();
        });
      });
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send,
        close: (code, reason) => socket.close(code, reason),
        onMessage: (receive) => {
          const take = inTurn(connection, (text) => {
            receive(text).catch((error: unknown) => {
              log.error({ err: error }, 'a WebSocket message could not be handled');
              socket.close(CloseCode.InternalServerError, 'Internal server error');
            });
          });
          let waiting = 0;
          socket.on('message', (data: Buffer) => {
            waiting += 1;
            turnstile.enter(connection.identity?.credential ?? connection.network, () => {
              waiting -= 1;
              if (socket.readyState === socket.OPEN) take(markedJson(data.toString())); // else nobody would hear of it, and nothing would end it
            });
            holdBack(socket, () => socket.bufferedAmount > heldBytesMax || waiting > waitingMessagesMax);
          });
        },
        onPing: (payload) => send(pongOf(payload)),
      },
      connection,
    );
    socket.on('error', (error) => log.debug({ err: error }, 'a WebSocket failed')); // it closes by itself
    socket.once('close', (code, reason) => {
      stopPinging();
      connection.gone.abort();
      for (const operation of connection.operations.values()) operation.cancel();
      closed(code, String(reason)).catch((error: unknown) => log.error({ err: error }, 'a WebSocket could not be left'));
    });
  }

  return {
    upgrade: (request, socket, head) => server.handleUpgrade(request, socket, head, (opened) => accept(opened, request)),
    goAway() {
      for (const client of server.clients) client.close(goingAway, 'Going away');
    },
    cut() {
      for (const client of server.clients) client.terminate();
    },
  };
}

const echoCharsMax = 1024;

/** graphql-ws would send back any payload: a client that does not read its answers could have memory filled with them. */
function pongOf(payload: Record<string, unknown> | undefined): string {
  const text = JSON.stringify({ type: 'pong', payload });
  return text.length <= echoCharsMax ? text : JSON.stringify({ type: 'pong' });
}

/** Answers that wait for a client that does not read: beyond, nothing more is read from it; far beyond, it is cut. */
const heldBytesMax = 4_194_304;
const unreadBytesMax = 33_554_432;
const lookAgainMilliseconds = 50;

/** Messages that wait for their turn: beyond, no more are read. */
const waitingMessagesMax = 32;

/** What is written in one turn of the event loop goes out at once: calls that were committed together are answered together. */
function gatherWrites(stream: Duplex): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    stream.cork();
    setImmediate(() => {
      isGathering = false;
      stream.uncork();
    });
  };
}

/** A client that does not read its answers gets no more of them, and one that sends more than it is given turns has to wait. */
function holdBack(socket: WebSocket, isTooMuch: () => boolean): void {
  if (socket.isPaused || !isTooMuch()) return;
  socket.pause();
  const timer = setInterval(() => {
    if (socket.readyState === socket.OPEN && isTooMuch()) return;
    clearInterval(timer);
    socket.resume();
  }, lookAgainMilliseconds);
}

/** Cuts the socket when a ping is not answered by the next: its peer is dead, and whoever it held waits for nobody. */
function ping(socket: WebSocket, everySeconds: number): () => void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, everySeconds * 1000);
  return () => clearInterval(timer);
}
