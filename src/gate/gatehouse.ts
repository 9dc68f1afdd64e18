import type { SqlEntityManager } from '@mikro-orm/sql';
import { databaseOf, isShared } from '../entities/database-of.ts';
import { dialectOf } from '../entities/dialect-of.ts';
import { system, type Principal } from '../entities/principal.ts';
import type { Registry } from '../policy/registry.ts';
import { fullAccess, type Access } from './access.ts';
import { abandonLeft } from './abandon.ts';
import { createCommits } from './commit.ts';
import { createDigests } from './digest.ts';
import type { Events } from './events.ts';
import { tellAll, type Instruments } from './instruments.ts';
import type { Gate, GateSettings, Log } from './gate.ts';
import type { OnLimitHit } from './limit-hit.ts';
import type { Masking } from './masking.ts';
import type { Model } from './model.ts';
import { createOriginals } from './originals.ts';
import { openPendingPlaces } from './pending-places.ts';
import { takeServerLease } from './server-lease.ts';
import { openSessionNews } from './session-news.ts';
import { createSessionViews } from './session-view.ts';
import { settleAllExpired } from './settle-expired.ts';
import { openWaitingRoom } from './waiting-room.ts';

/** What the gates of one process share. */
export interface Gatehouse {
  /** Says that this server lives, and gives what dead servers held its grace time; it also happens by itself, three times in `leaseSeconds`. */
  beat(): Promise<void>;
  open(caller: { readonly principal: Principal; readonly access: Access; readonly signal: AbortSignal }): Gate;
  /** How much waits: calls that this process holds, and evaluations as far as it knows. */
  readonly load: { readonly parked: number; readonly pending: number };
  /** False: what is overdue was not looked for in the last half minute. */
  readonly isSweeping: boolean;
  /** Expires what is overdue and abandons what was left, now; it also happens by itself about once a second. */
  sweep(): Promise<void>;
  /** Answers every waiting call with its evaluation as it stands, and stops sweeping. */
  close(): Promise<void>;
}

export interface GatehouseParts {
  readonly em: SqlEntityManager;
  readonly events: Events;
  readonly now: () => Date;
  readonly registry: Registry;
  /** What judging policies ask. Omitted or null: none is configured. */
  readonly model?: Model | null;
  readonly masking: Masking;
  /** Known to nobody who reads the database. */
  readonly secretKey: string;
  readonly settings: GateSettings;
  /** Omitted: nobody measures. */
  readonly instruments?: Instruments;
  readonly log: Log;
  readonly onLimitHit: OnLimitHit;
}

const sweepEveryMilliseconds = 1000;

const sweepLateMilliseconds = 30_000;

/** One that is late or fails must not cost the lease. */
const beatsInLease = 3;

export async function openGatehouse({ em, events, now, registry, model = null, masking, secretKey, settings, instruments = tellAll([]), log, onLimitHit }: GatehouseParts): Promise<Gatehouse> {
  const closing = new AbortController();
  const shares = isShared(databaseOf(em));
  const dialect = dialectOf(em);
  const waiting = await openWaitingRoom({ em, events, seatsMax: settings.waitingMax, signal: closing.signal, log });
  const lease = await takeServerLease({ em, dialect, events, now, waiting, settings, isShared: shares, log });
  const pending = await openPendingPlaces({ em, events, now, signal: closing.signal, waiting, settings, onLimitHit });
  const sessionNews = await openSessionNews({ em, dialect, events, signal: closing.signal, log });
  const views = createSessionViews({ registry, labelDefinitions: settings.labelDefinitions, isShared: shares });
  const commits = createCommits({ openEm: () => em.fork(), isShared: shares, instruments });
  const digests = createDigests(secretKey);
  const originals = await createOriginals({ em, events, signal: closing.signal, log });
  const works = new Set<Promise<void>>();
  const later: Gate['later'] = (work) => {
    const running = work()
      .catch((error: unknown) => log.error({ err: error }, 'what an answer left to be done failed'))
      .finally(() => works.delete(running));
    works.add(running);
  };

  const open: Gatehouse['open'] = ({ principal, access, signal }) => ({
    get em() {
      return em.fork();
    },
    dialect,
    events,
    now,
    principal,
    access,
    registry,
    views,
    commits,
    waiting,
    lease,
    sessionNews,
    masking,
    digests,
    originals,
    pending,
    model,
    settings,
    instruments,
    log,
    signal,
    closing: closing.signal,
    later,
  });

  const own = open({ principal: system, access: fullAccess(system), signal: closing.signal });
  let sweptAt = performance.now();
  const sweep = async () => {
    await settleAllExpired(own);
    await abandonLeft(own);
    originals.purge();
    await pending.reread();
    sweptAt = performance.now();
  };
  const stopSweeping = repeat(sweep, { everyMilliseconds: sweepEveryMilliseconds, log, what: 'a sweep for overdue elicitations' });
  const stopBeating = repeat(() => lease.beat(), { everyMilliseconds: (settings.leaseSeconds * 1000) / beatsInLease, log, what: 'a sign of life in the database' });

  return {
    open,
    get load() {
      return { parked: waiting.size, pending: pending.total };
    },
    get isSweeping() {
      return performance.now() - sweptAt < sweepLateMilliseconds;
    },
    sweep,
    beat: () => lease.beat(),
    async close() {
      waiting.close();
      await Promise.all([stopSweeping(), stopBeating()]);
      closing.abort();
      await Promise.all(works);
      await lease.release();
    },
  };
}

/** Does it again and again, never twice at once. What fails is logged and tried again. */
function repeat(work: () => Promise<void>, { everyMilliseconds, log, what }: { readonly everyMilliseconds: number; readonly log: Log; readonly what: string }): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const next = () => {
    timer = setTimeout(() => {
      running = work()
        .catch((error: unknown) => log.error({ err: error }, `${what} failed; it is tried again`))
        .finally(() => {
          if (!stopped) next();
        });
    }, everyMilliseconds);
  };
  next();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
