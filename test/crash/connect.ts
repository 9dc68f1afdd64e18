import { createClient, type Client } from 'graphql-ws';
import WebSocket from 'ws';
import type { Answer } from './ask-server.ts';

/** A graphql-ws client that comes back whenever its connection fails, and then sends again what it waits for; with `token`, of whoever has that key. */
export function connect(wsUrl: string, { retryAttempts = Infinity, token }: { retryAttempts?: number; token?: string } = {}): Client {
  return createClient({
    url: wsUrl,
    connectionParams: token === undefined ? {} : { authorization: `Bearer ${token}` },
    webSocketImpl: PatientWebSocket,
    retryAttempts,
    shouldRetry: () => true,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
}

/** The answer of the document's one field. */
export async function askOver(client: Client, query: string, variables: Record<string, unknown>): Promise<Answer> {
  const { value } = (await client.iterate<Record<string, Answer>>({ query, variables }).next()) as { value?: { data?: Record<string, Answer> | null; errors?: unknown } };
  const answer = Object.values(value?.data ?? {})[0];
  if (value?.errors || !answer) throw new Error(`An answer that nobody expects: ${JSON.stringify(value)}`);
  return answer;
}

/** graphql-ws stops listening to a socket that it terminates, and `ws` then reports one that was not open yet as an error, which without a listener ends the process. */
class PatientWebSocket extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols);
    this.on('error', () => undefined);
  }
}
