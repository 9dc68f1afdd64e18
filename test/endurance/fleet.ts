import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { usualMasking } from '../../src/gate/masking.ts';
import { openDatabase, openKeyring } from '../../src/main.ts';
import { prepareProgram, type Program } from '../crash/program.ts';
import type { Random } from '../crash/random.ts';
import { startCluster, type Cluster } from '../support/postgres/cluster.ts';
import { runCli, type CliResult } from '../support/run-cli.ts';
import { openHandles } from './footprint.ts';

/** Shorter than any stop of a server, so that others bury it; together with the grace time longer than any, so that no caller that stays loses its call. */
const leaseSeconds = 2;
export const graceSeconds = 15;

const secretKey = 'k'.repeat(32);

/** One of the two servers, with what it had open when it began to serve. */
export interface Member {
  readonly name: 'elder' | 'younger';
  readonly program: Program;
  handlesAtStart: number;
}

/** Two servers on one PostgreSQL, whose clocks differ. */
export interface Fleet {
  readonly cluster: Cluster;
  readonly database: string;
  readonly elder: Member;
  readonly younger: Member;
  readonly tokens: Readonly<Record<Name, string>>;
  /** Starts it with a clock that is off by that much. */
  start(member: Member, clockOffSeconds: number): Promise<void>;
  /** Rows, whatever the servers do. */
  query<Row>(sql: string): Promise<Row[]>;
  verifyAudit(): Promise<CliResult>;
  remove(): Promise<void>;
}

/** Two who own sessions, two who approve, one who sees to the rest. */
export const names = ['red', 'blue', 'ada', 'ben', 'root'] as const;

export type Name = (typeof names)[number];

const roles = { red: 'AGENT', blue: 'AGENT', ada: 'APPROVER', ben: 'APPROVER', root: 'ADMIN' } as const;

const policies = [
  { name: 'ask', handler: 'safety.ask_on_os_tools' },
  { name: 'deny', handler: 'safety.fixed_action', params: { action: 'DENY', reason: 'never', on_tools: ['Forbidden'] } },
  { name: 'count', handler: 'safety.max_tool_calls_per_session', params: { limit: 100_000 } },
];

export async function startFleet(): Promise<Fleet> {
  const cluster = await startCluster();
  const admin = await openDatabase(cluster.urlOf('postgres'));
  await admin.em.getConnection().execute('create database endurance');
  await admin.close();
  const database = cluster.urlOf('endurance');
  const keyring = await openKeyring({ database, maskArguments: usualMasking });
  const tokens: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const outcome = await keyring.create({ name, role: roles[name] });
    if (outcome.kind !== 'created') throw new Error(outcome.message);
    tokens[name] = outcome.token;
  }
  await keyring.close();

  const env = {
    NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'preload.ts')).href}`,
    COUNTERSIGN_SECRET_KEY: secretKey,
    COUNTERSIGN_LEASE_SECONDS: String(leaseSeconds),
    COUNTERSIGN_GRACE_SECONDS: String(graceSeconds),
    COUNTERSIGN_SHUTDOWN_SECONDS: '5',
    COUNTERSIGN_LOG_LEVEL: 'error',
    COUNTERSIGN_SERVER_POLICIES: JSON.stringify(policies),
  };
  const member = async (name: Member['name']): Promise<Member> => ({ name, program: await prepareProgram(database, env), handlesAtStart: 0 });
  const [elder, younger] = [await member('elder'), await member('younger')];
  const start: Fleet['start'] = async (started, clockOffSeconds) => {
    await started.program.start({ CLOCK_OFF_SECONDS: String(clockOffSeconds) });
    started.handlesAtStart = await openHandles(started.program);
  };
  await Promise.all([start(elder, 0), start(younger, 2)]);

  return {
    cluster,
    database,
    elder,
    younger,
    tokens: tokens as Record<Name, string>,
    start,
    async query<Row>(sql: string) {
      const orm = await openDatabase(database);
      try {
        return await orm.em.getConnection().execute<Row[]>(sql);
      } finally {
        await orm.close();
      }
    },
    verifyAudit: () => runCli(['audit', 'verify', '--database', database], { cwd: import.meta.dirname, env: { COUNTERSIGN_SECRET_KEY: secretKey } }),
    async remove() {
      for (const { program } of [elder, younger]) await program.remove();
      await cluster.remove();
    },
  };
}

/** A server as whoever balances loads would choose it, not knowing how it is. */
export function anyOf({ elder, younger }: Pick<Fleet, 'elder' | 'younger'>, random: Random): Program {
  return (random.integer(0, 1) === 0 ? elder : younger).program;
}
