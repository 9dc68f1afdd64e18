import { createClient, type Client, type ClientOptions, type Elicitation } from '../../src/sdk/index.ts';
import { startTestServer, type ConfigOverrides, type TestServer } from '../support/start-server.ts';

/** A real server, and clients of it. */
export interface World {
  readonly server: TestServer;
  /** One more client; it is closed in the end. */
  connect(options?: Partial<ClientOptions>): Client;
  end(): Promise<void>;
}

export async function startWorld(overrides: ConfigOverrides = {}): Promise<World> {
  const server = await startTestServer(overrides);
  const clients: Client[] = [];
  return {
    server,
    connect(options) {
      const client = createClient({ url: server.url, ...options });
      clients.push(client);
      return client;
    },
    async end() {
      for (const client of clients) client.close();
      await server.remove();
    },
  };
}

let agents = 0;

/** A session whose OS tools ask, and whose other tools are free. Gives its id. */
export async function startAskingSession(client: Client): Promise<string> {
  agents += 1;
  const { id } = await client.openSession({ agent: `agent ${agents}` });
  await client.createPolicy({ target: { sessionId: id }, name: 'os tools', handler: 'safety.ask_on_os_tools' });
  return id;
}

/** The first one that is asked in the session. */
export async function nextAsk(client: Client, sessionId: string): Promise<Elicitation> {
  for await (const elicitation of client.watchElicitations({ sessionId })) return elicitation;
  throw new Error('The watch has ended.');
}

/** How many persons were asked in the session so far, decided or not. */
export async function asksOf(client: Client, sessionId: string): Promise<Elicitation[]> {
  const { edges } = await client.elicitations({ filter: { sessionId }, first: 100 });
  return edges.map(({ node }) => node);
}
