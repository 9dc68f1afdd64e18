import { setTimeout } from 'node:timers/promises';
import type { World } from './ask-fleet.ts';
import type { Member } from './fleet.ts';

/** Below and beyond the lease of a server. */
const stopMilliseconds = { min: 300, max: 6000 };

const pauseMilliseconds = { min: 1500, max: 5000 };

/** Either way. */
const clockOffSecondsMax = 3;

type Disturbance = (world: World, target: Member) => Promise<void>;

const restarts: Record<string, Disturbance> = {
  async kill(world, target) {
    await target.program.kill();
    await setTimeout(world.random.integer(0, 4) * 1000); // also for longer than its lease
    await startAgain(world, target);
  },
  async terminate(world, target) {
    const { code, stderr } = await target.program.terminate();
    if (code !== 0) world.ledger.broken.push(`a server that was told to end ended with ${String(code)}: ${stderr.slice(-2000)}`);
    await setTimeout(world.random.integer(0, 2) * 500);
    await startAgain(world, target);
  },
};

const others: Record<string, Disturbance> = {
  async stop({ random }, { program }) {
    program.signal('SIGSTOP');
    await setTimeout(random.integer(stopMilliseconds.min, stopMilliseconds.max));
    program.signal('SIGCONT');
  },
  'cut events': ({ fleet }) => cut(fleet, "application_name = 'countersign events'"),
  'cut connections': ({ fleet, random }) => cut(fleet, `pid % 3 = ${random.integer(0, 2)}`),
  'cut everything': ({ fleet }) => cut(fleet, 'true'),
  async 'restart the database'({ fleet: { cluster }, random }) {
    await cluster.stop();
    await setTimeout(random.integer(0, 4) * 250);
    await cluster.start();
  },
};

/** The younger one's clock is off by another number of seconds after each start; the elder's is right. */
async function startAgain({ fleet, random }: World, target: Member): Promise<void> {
  await fleet.start(target, target.name === 'elder' ? 0 : random.integer(-clockOffSecondsMax, clockOffSecondsMax));
}

async function cut({ query }: World['fleet'], which: string): Promise<void> {
  await query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${which}`);
}

/**
 * Does one thing after another to servers and database, and leaves all as it should be. Once `isSpared`, the elder is not
 * started again: how much memory it takes after hours can only be seen of one process.
 */
export async function disturb(world: World, { until, isSpared }: { until: AbortSignal; isSpared: (member: Member) => boolean }): Promise<void> {
  const { fleet, ledger, random } = world;
  while (!until.aborted) {
    await setTimeout(random.integer(pauseMilliseconds.min, pauseMilliseconds.max));
    const target = random.integer(0, 1) === 0 ? fleet.elder : fleet.younger;
    const possible = Object.entries(isSpared(target) ? others : { ...restarts, ...others });
    const [name, act] = possible[random.integer(0, possible.length - 1)] ?? [];
    if (name === undefined || !act) continue;
    ledger.disturbed(name);
    await act(world, target);
    for (const { name: who, program } of [fleet.elder, fleet.younger]) {
      const crash = program.crash();
      if (crash) throw new Error(`The ${who} server ended by itself with ${String(crash.code)}: ${crash.stderr.slice(-4000)}`);
    }
  }
}
