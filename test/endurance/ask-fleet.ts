import { setTimeout } from 'node:timers/promises';
import { askServer, Unreachable, type Answer } from '../crash/ask-server.ts';
import { askOver, connect } from '../crash/connect.ts';
import type { Random } from '../crash/random.ts';
import { anyOf, type Fleet, type Name } from './fleet.ts';
import type { Ledger } from './ledger.ts';

/** Everybody's surroundings. */
export interface World {
  readonly fleet: Fleet;
  readonly ledger: Ledger;
  readonly random: Random;
  /** True: nobody begins anything new. */
  readonly isEnding: () => boolean;
}

export interface Asked {
  readonly as: Name;
  readonly input: object;
  readonly transport?: 'HTTP' | 'WebSocket';
}

const backoffMilliseconds = 150;

/** As a client must: again and again, each time at any server, until one answers. Any error but those that a disturbance makes is a broken law, and rejects. */
export async function askFleet({ fleet, ledger, random }: World, document: string, asked: Asked): Promise<Answer> {
  for (;;) {
    const { url, wsUrl } = anyOf(fleet, random);
    const token = fleet.tokens[asked.as];
    try {
      return asked.transport === 'WebSocket' ? await askOnce(wsUrl, document, { token, input: asked.input }) : await askServer(url, document, { token, input: asked.input });
    } catch (error) {
      ledger.failed(excuseOf(error));
      await setTimeout(backoffMilliseconds);
    }
  }
}

async function askOnce(wsUrl: string, document: string, { token, input }: { token: string; input: object }): Promise<Answer> {
  const client = connect(wsUrl, { token, retryAttempts: 0 });
  try {
    return await askOver(client, document, { input });
  } finally {
    client.terminate();
  }
}

/** What an error is put down to. Throws it where nothing excuses it. */
export function excuseOf(error: unknown): string {
  if (error instanceof Unreachable || isFailing(error)) return 'unreachable';
  if (isClosing(error)) return `closed with ${error.code}`;
  const text = error instanceof Error ? error.message : JSON.stringify(error);
  if (text.includes('INTERNAL_SERVER_ERROR')) return 'unexpected error of the server'; // the database was away
  if (error instanceof Error && (error as NodeJS.ErrnoException).code !== undefined) return 'unreachable';
  if (text.includes('socket hang up') || text.includes('An answer that nobody expects: undefined')) return 'unreachable';
  throw error;
}

/** What `ws` says of a socket that could not be opened, or broke. */
function isFailing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { type?: unknown }).type === 'error';
}

function isClosing(error: unknown): error is { readonly code: number } {
  return typeof error === 'object' && error !== null && !(error instanceof Error) && typeof (error as { code?: unknown }).code === 'number';
}
