import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { Role } from '../../src/entities/role.ts';
import { createApiKey, type CreateApiKeyInput } from '../../src/gate/create-api-key.ts';
import { expectKind } from '../support/journey.ts';
import { post } from '../support/post.ts';
import { startTestServer, type ConfigOverrides, type TestServer } from '../support/start-server.ts';

/** What a client reads off the wire: judged by assertions, not by a type. */
export type Wire = ReturnType<JSON['parse']>;

export type Transport = 'HTTP' | 'WebSocket' | 'SSE';

export const transports: readonly Transport[] = ['HTTP', 'WebSocket', 'SSE'];

export interface KeyedServer {
  readonly server: TestServer;
  /** A new key's token. */
  key(role: Role, input?: Partial<CreateApiKeyInput>): Promise<string>;
  /** The answer as GraphQL gives it; of a subscription the first one. A WebSocket that is closed answers `{ closed: code }`, and a request that is refused `{ status, errors }`. */
  send(token: string | null, query: string, options?: { variables?: object; transport?: Transport }): Promise<Wire>;
  /** The value of the operation's first field. */
  ask(token: string | null, query: string, variables?: object): Promise<Wire>;
  remove(): Promise<void>;
}

let keys = 0;

/** A real server that lets nobody in without a key. */
export async function startKeyedServer(overrides: ConfigOverrides = {}): Promise<KeyedServer> {
  const server = await startTestServer(overrides);
  const key: KeyedServer['key'] = async (role, input = {}) => {
    keys += 1;
    return expectKind(await createApiKey(server.openGate(), { role, name: `${role.toLowerCase()} ${keys}`, ...input }), 'created').token;
  };
  await key('ADMIN', { name: 'the first' });
  const send: KeyedServer['send'] = async (token, query, { variables = {}, transport = 'HTTP' } = {}) => {
    if (transport === 'WebSocket') return overWebSocket(server.wsUrl, { token, query, variables });
    const headers = { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...(transport === 'SSE' ? { accept: 'text/event-stream' } : {}) };
    const gone = new AbortController();
    const response = await post(server.url, query, { variables, headers, signal: gone.signal });
    try {
      if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) return { ...((await response.json()) as object), ...(response.ok ? {} : { status: response.status }) };
      return await firstEvent(response);
    } finally {
      gone.abort();
    }
  };
  return {
    server,
    key,
    send,
    async ask(token, query, variables) {
      const { data, errors } = await send(token, query, { variables: variables ?? {} });
      if (errors) throw new Error(JSON.stringify(errors));
      return Object.values(data as object)[0];
    },
    remove: server.remove,
  };
}

async function firstEvent(response: Response): Promise<Wire> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const [, data] = /^data: (\{.*\})$/m.exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data);
  }
  return { ended: text };
}

async function overWebSocket(url: string, { token, query, variables }: { token: string | null; query: string; variables: object }): Promise<Wire> {
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: token === null ? {} : { authorization: `Bearer ${token}` } });
  try {
    const { value } = (await client.iterate({ query, variables: { ...variables } }).next()) as { value: Wire };
    return value;
  } catch (error) {
    if (Array.isArray(error)) return { errors: error };
    return { closed: (error as { code: number }).code };
  } finally {
    client.terminate();
  }
}
