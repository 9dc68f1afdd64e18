import { randomUUID } from 'node:crypto';
import type { Events } from '../gate/events.ts';
import { createInMemoryEvents } from './in-memory.ts';
import type { Line, OpenLine } from './line.ts';
import { packMessages, readMessage, type Told } from './message.ts';
import { retryDelay } from './retry-delay.ts';

export interface EventsWatch {
  readonly log: EventsLog;
  /** Told how many seconds each message took to come back from the broker, which is when other processes hear it. Omitted: nobody measures. */
  readonly onLag?: (seconds: number) => void;
}

export interface BetweenProcessesParts extends EventsWatch {
  readonly openLine: OpenLine;
  /** The longest message that the broker takes. */
  readonly messageBytesMax: number;
}

export interface EventsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const pingEveryMilliseconds = 3000;

/** What waits to be sent while the broker is slow: beyond, the others are told to resync instead. */
const outboxMax = 10_000;

/**
 * Events between processes, over a line to a broker that is opened anew whenever it is lost. Subscribers of this process hear what it
 * publishes at once, as in memory, whether or not the broker is there; what comes back of it from the broker is not heard again.
 * Rejects where the broker cannot be reached at first.
 */
export async function createEventsBetweenProcesses({ openLine, messageBytesMax, log, onLag = () => undefined }: BetweenProcessesParts): Promise<Events> {
  const local = createInMemoryEvents();
  const own = randomUUID();
  const closing = new AbortController();
  let line: Line | null = null;
  let outbox: Told[] = [];
  /** When the oldest of them was published, by this process' own clock. */
  let outboxSince = 0;
  /** The same of each message that is to come back on this line, in order. */
  let underWay: number[] = [];
  /** Others have not been told something: they are to resync. */
  let owesResync = false;
  let batch: Promise<void> | null = null;
  let sent: Promise<void> = Promise.resolve();

  function hear(message: string): void {
    const { from, told } = readMessage(message);
    if (from === own) {
      const since = underWay.shift();
      if (since !== undefined) onLag((performance.now() - since) / 1000);
      return;
    }
    for (const [topic, happening] of told) void (topic === null ? local.resyncAll() : local.publish(topic, happening));
  }

  /** Resolves when what is in the outbox at the end of this turn is sent, or is known to be lost. */
  function send(): Promise<void> {
    batch ??= sent = sent.then(nextTurn).then(sendBatch);
    return batch;
  }

  async function sendBatch(): Promise<void> {
    batch = null;
    const told: Told[] = owesResync ? [[null, { kind: 'resync' }], ...outbox] : outbox;
    outbox = [];
    const current = line;
    owesResync = current === null;
    if (!current || told.length === 0) return;
    try {
      const messages = packMessages(told, { from: own, bytesMax: messageBytesMax });
      underWay.push(...messages.map(() => outboxSince));
      await current.send(messages);
    } catch (error) {
      owesResync = true;
      loseLine(error as Error);
    }
  }

  /** Replaced with each line. */
  let loseLine: (reason: Error) => void = () => undefined;

  async function connect(): Promise<Connected> {
    const { promise: lost, resolve } = Promise.withResolvers<Error>();
    const opened = await openLine({ heard: hear, lost: resolve });
    line = opened;
    underWay = [];
    loseLine = resolve;
    return { line: opened, lost };
  }

  async function stayConnected(first: Connected): Promise<void> {
    for (let connected: Connected | null = first; connected !== null; connected = await connectAgain()) {
      const reason = await lostOrSilent(connected, closing.signal);
      line = null;
      connected.line.close();
      if (closing.signal.aborted) return;
      // The message alone: what else the drivers' errors carry can be a credential.
      log.warn({ reason: reason.message }, 'the connection for events is lost; what other servers publish is not heard until it is back');
    }
  }

  /** Null: closed before the broker was back. */
  async function connectAgain(): Promise<Connected | null> {
    for (let attempt = 0; ; attempt += 1) {
      await pause(retryDelay(attempt), closing.signal);
      if (closing.signal.aborted) return null;
      try {
        const connected = await connect();
        log.info({ attempts: attempt + 1 }, 'the connection for events is back: all that listens reads the database again');
        await local.resyncAll();
        if (owesResync) await send();
        return connected;
      } catch (error) {
        log.warn({ reason: (error as Error).message, attempts: attempt + 1 }, 'the connection for events could not be made; it is tried again');
      }
    }
  }

  const running = stayConnected(await connect());

  return {
    async publish(topic, happening) {
      await local.publish(topic, happening);
      if (line === null || outbox.length >= outboxMax) {
        owesResync = true;
        return;
      }
      if (batch === null) outboxSince = performance.now();
      outbox.push([topic, happening]);
      await send();
    },
    subscribe: (topic, signal) => local.subscribe(topic, signal),
    async resyncAll() {
      await local.resyncAll();
      owesResync = true;
      if (line !== null) await send();
    },
    isConnected: () => line !== null,
    async close() {
      await sent;
      closing.abort();
      await running;
    },
  };
}

interface Connected {
  readonly line: Line;
  /** Resolves when it is lost, with why. */
  readonly lost: Promise<Error>;
}

/** Resolves when the line is lost or its broker answers no ping any more, with why, and with the signal. */
async function lostOrSilent({ line, lost }: Connected, signal: AbortSignal): Promise<Error> {
  const over = new AbortController();
  const end = AbortSignal.any([signal, over.signal]);
  const silent = async (): Promise<Error> => {
    try {
      for (;;) {
        await pause(pingEveryMilliseconds, end);
        if (end.aborted) return new Error('It was closed.');
        await line.ping();
      }
    } catch (error) {
      return error as Error;
    }
  };
  const reason = await Promise.race([lost, silent()]);
  over.abort();
  return reason;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
