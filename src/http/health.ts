import type { ServerResponse } from 'node:http';

export interface Health {
  /** Whether the database answers. May take its time, or never come to an end. */
  readonly isDatabaseUp: () => Promise<boolean>;
  /** Whether what other servers publish is heard. */
  readonly areEventsUp: () => boolean;
  readonly isDraining: () => boolean;
  /** Whether what is overdue is looked for. */
  readonly isSweeping: () => boolean;
  /** The newest migration of the database. */
  readonly schema: string;
}

const patienceMilliseconds = 2000;

/** `/healthz`: 200 as long as the process lives. */
export function answerHealth(response: ServerResponse): void {
  send(response, 200, { status: 'ok' });
}

/** `/readyz`: 200 when a call would be served, else 503 with the part that is not ready. A sweep that is late is told, and turns nobody away: another server does it as well. */
export async function answerReadiness(response: ServerResponse, { isDatabaseUp, areEventsUp, isDraining, isSweeping, schema }: Health): Promise<void> {
  const server = isDraining() ? 'draining' : 'ok';
  const database = (await within(patienceMilliseconds, isDatabaseUp())) ? 'ok' : 'down';
  const events = areEventsUp() ? 'ok' : 'down';
  const isReady = [server, database, events].every((part) => part === 'ok');
  send(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'unavailable', server, database, events, sweeper: isSweeping() ? 'ok' : 'late', schema });
}

async function within(milliseconds: number, answer: Promise<boolean>): Promise<boolean> {
  const patience = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => patience.resolve(false), milliseconds);
  try {
    return await Promise.race([answer.catch(() => false), patience.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' });
  response.end(text);
}
