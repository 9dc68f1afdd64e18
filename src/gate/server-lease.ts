import { raw } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Dialect } from '../entities/dialect.ts';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import { newServerId, type ServerId } from '../entities/id.ts';
import type { Events } from './events.ts';
import type { Log } from './log.ts';
import type { WaitingRoom } from './waiting-room.ts';

/**
 * Which server holds a call, and whether it lives. A held call has no grace time, so what a server held when it died must be given one,
 * by whichever server notices; and no server may touch what another holds. The lease is renewed for the server as a whole, and by the
 * database's clock: ten thousand held calls cost no more than one, and servers' clocks may differ.
 */
export interface ServerLease {
  readonly id: ServerId;
  beat(): Promise<void>;
  /** The server stops: what it held has its grace time from now on. */
  release(): Promise<void>;
}

export interface LeaseParts {
  readonly em: SqlEntityManager;
  readonly dialect: Pick<Dialect, 'clock'>;
  readonly events: Pick<Events, 'resyncAll'>;
  readonly now: () => Date;
  readonly waiting: Pick<WaitingRoom, 'isHeld'>;
  readonly settings: { readonly graceSeconds: number; readonly leaseSeconds: number };
  /** False: no other server can run, so that whatever is noted of another is dead. */
  readonly isShared: boolean;
  readonly log: Log;
}

/** Where no other server lives, nobody was there to take a call up again: whatever waits has its whole grace time anew. */
export async function takeServerLease({ em: shared, dialect: { clock }, events, now, waiting, settings, isShared, log }: LeaseParts): Promise<ServerLease> {
  const id = newServerId();
  const leaseMilliseconds = isShared ? settings.leaseSeconds * 1000 : 0;
  const em = () => shared.fork();
  const statement = <Row extends object>(sql: string, values: readonly unknown[]) => em().getConnection().execute<Row[]>(sql, [...values]);
  const register = () => statement(`insert into server (id, started_at, seen_at) values (?, ${clock}, ${clock})`, [id]);
  const buryDead = () => statement<{ id: ServerId }>(`delete from server where id <> ? and seen_at <= ${clock} - ? returning id`, [id, leaseMilliseconds]);

  /** The grace time begins for those of the evaluations that are no tickets. */
  async function leave(which: object): Promise<void> {
    const abandonAt = new Date(now().getTime() + settings.graceSeconds * 1000);
    const waits = { status: 'AWAITING_APPROVAL', ...which } as const;
    await em().nativeUpdate(EvaluationSchema, { ...waits, ticket: false }, { heldBy: null, abandonAt });
    await em().nativeUpdate(EvaluationSchema, { ...waits, ticket: true }, { heldBy: null });
  }

  /** Another server may have taken this one for dead, or left a call that is held here as well. */
  async function takeUpAgain(): Promise<void> {
    const left = await em().find(EvaluationSchema, { status: 'AWAITING_APPROVAL', abandonAt: { $ne: null } }, { fields: ['id'] });
    const held = left.filter((evaluation: Pick<Evaluation, 'id'>) => waiting.isHeld(evaluation.id)).map((evaluation) => evaluation.id);
    if (held.length > 0) await em().nativeUpdate(EvaluationSchema, { id: { $in: held }, status: 'AWAITING_APPROVAL' }, { heldBy: id, abandonAt: null });
  }

  await register();
  await buryDead();
  const [others] = await statement<{ count: number | string }>('select count(*) as count from server where id <> ?', [id]);
  if (Number(others?.count) === 0) await leave({});

  return {
    id,

    async beat() {
      const known = await statement<{ id: ServerId }>(`update server set seen_at = ${clock} where id = ? returning id`, [id]);
      if (known.length === 0) {
        await register();
        log.warn({ server: id }, 'this server was silent for longer than its lease; what it holds and was not abandoned meanwhile, it holds again');
      }
      const dead = await buryDead();
      await leave({ heldBy: { $ne: null }, [raw('held_by not in (select id from server)')]: [] });
      await takeUpAgain();
      if (dead.length === 0) return;
      log.warn({ servers: dead.map((server) => server.id) }, 'servers have died; the calls that they held have their grace time to be taken up elsewhere');
      await events.resyncAll(); // what they had committed, they may have told nobody
    },

    async release() {
      await leave({ heldBy: id });
      await statement('delete from server where id = ?', [id]);
    },
  };
}
