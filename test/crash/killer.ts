import type { Random } from './random.ts';
import type { ServerProcess } from './server-process.ts';

/** The points of an ask's life at which the server may die. */
export const moments = ['asking', 'shown', 'resolving', 'resolved', 'withdrawing', 'answered'] as const;

export type Moment = (typeof moments)[number];

/** Kills the server at random points of the life of asks, and starts it again. */
export interface Killer {
  /** Something happens now. */
  at(moment: Moment): void;
  /** At which moments the server was killed while it served. */
  readonly killedAt: readonly Moment[];
  /** Resolves when the server serves, whether or not it is being killed now. */
  served(): Promise<void>;
  /** Rejects when what was stored at a kill is not what it should be, or the server does not come back. */
  readonly failed: Promise<never>;
}

interface Kill {
  /** How many of its moments it lets pass. */
  skips: number;
  readonly delayMilliseconds: number;
  /** Whether it is killed once more while it starts; after so long. */
  readonly againAfterMilliseconds: number | null;
}

function planKills(random: Random): Map<Moment, Kill[]> {
  const plan = (moment: Moment): Kill => ({
    skips: moment === 'withdrawing' ? 0 : random.integer(2, 12),
    delayMilliseconds: random.integer(0, 2) * random.integer(0, 8),
    againAfterMilliseconds: random.integer(0, 4) === 0 ? random.integer(50, 600) : null,
  });
  return new Map(moments.map((moment) => [moment, [plan(moment), plan(moment)]]));
}

export function createKiller(server: ServerProcess, random: Random, afterKill: () => Promise<void>): Killer {
  const plan = planKills(random);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // whoever awaits it sees the failure
  const killedAt: Moment[] = [];
  let killing: Promise<void> | null = null;

  async function kill({ delayMilliseconds, againAfterMilliseconds }: Kill): Promise<void> {
    if (delayMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, delayMilliseconds));
    await server.kill();
    await afterKill();
    if (againAfterMilliseconds !== null) await server.startAndKillAfter(againAfterMilliseconds);
    await server.start();
    killing = null;
  }

  return {
    at(moment) {
      const kills = plan.get(moment) ?? [];
      const [next] = kills;
      if (killing || !next) return;
      if (next.skips > 0) {
        next.skips -= 1;
        return;
      }
      kills.shift();
      killedAt.push(moment);
      killing = kill(next);
      killing.catch(failure.reject);
    },
    killedAt,
    served: async () => killing ?? undefined,
    failed: failure.promise,
  };
}
