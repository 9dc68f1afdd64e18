import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { configOf, type Config } from '../../src/config.ts';
import { localUser, type Principal } from '../../src/entities/principal.ts';
import { fullAccess, type Access } from '../../src/gate/access.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { startServer } from '../../src/main.ts';

export interface TestServer {
  /** Where GraphQL is. */
  readonly url: string;
  readonly wsUrl: string;
  /** Without `/graphql`. */
  readonly baseUrl: string;
  readonly databaseFile: string;
  readonly config: Config;
  /** A gate of the running server, as a call of its own has it. */
  openGate(caller?: { principal?: Principal; access?: Access; signal?: AbortSignal }): Gate;
  /** Shuts down as SIGTERM does. The database file stays until `remove`. */
  close(): Promise<void>;
  /** Closes, and removes the database with its directory. */
  remove(): Promise<void>;
}

export type ConfigOverrides = NonNullable<Parameters<typeof configOf>[0]>;

/** A real server on a free port, with a real database file in a directory of its own. Give `database` to start again on another's file. */
export async function startTestServer(overrides: ConfigOverrides = {}): Promise<TestServer> {
  const directory = await mkdtemp(path.join(tmpdir(), 'countersign-'));
  const database = overrides.database ?? `sqlite:${path.join(directory, 'countersign.db')}`;
  const config = configOf({ port: 0, logLevel: 'silent', ...overrides, database });
  const server = await startServer(config);
  return {
    url: `${server.url}/graphql`,
    wsUrl: `${server.url.replace('http', 'ws')}/graphql`,
    baseUrl: server.url,
    databaseFile: database.slice('sqlite:'.length),
    config,
    openGate: ({ principal = localUser, access = fullAccess(principal), signal = new AbortController().signal } = {}) => server.gatehouse.open({ principal, access, signal }),
    close: server.close,
    async remove() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}
