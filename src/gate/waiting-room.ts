import type { SqlEntityManager } from '@mikro-orm/sql';
import type { EvaluationId } from '../entities/id.ts';
import { createCatchUp } from './catch-up.ts';
import { decidedAmong } from './decided-among.ts';
import type { Events } from './events.ts';
import type { Log } from './log.ts';

/** Why a wait ended. The row says what became of the evaluation; this is only why to look. */
export type Wake = 'decided' | 'time' | 'callerGone' | 'closing';

/** The calls that wait in this process, by evaluation. One subscription wakes them all. */
export interface WaitingRoom {
  /** How many calls wait. */
  readonly size: number;
  readonly isFull: boolean;
  /** Whether some call in this process waits for the evaluation. */
  isHeld(id: EvaluationId): boolean;
  enter(id: EvaluationId): Seat;
  /** Answers every wait, now and from now on, with `closing`. */
  close(): void;
}

export interface Seat {
  /** Resolves when the evaluation may have been decided since `enter` or the last wait, when the time is up, or when the caller has gone. */
  wait(limits: { readonly milliseconds: number; readonly signal: AbortSignal }): Promise<Wake>;
  /** True: nobody waits for the evaluation any more. */
  leave(): boolean;
}

/** setTimeout's longest delay. */
const timerMillisecondsMax = 2_147_483_647;

export interface WaitingRoomParts {
  readonly em: SqlEntityManager;
  readonly events: Events;
  readonly seatsMax: number;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** After events were lost, it wakes those whose evaluations were decided meanwhile: they are looked up together, so that thousands of calls do not all read at once. */
export async function openWaitingRoom({ em, events, seatsMax, signal, log }: WaitingRoomParts): Promise<WaitingRoom> {
  const seats = new Map<EvaluationId, Set<(wake: Wake) => void>>();
  let size = 0;
  let closing = false;

  const happenings = await events.subscribe('inbox', signal);
  const wakeAll = (id: EvaluationId) => {
    for (const wake of seats.get(id) ?? []) wake('decided');
  };
  const catchUp = createCatchUp(
    async () => {
      for await (const id of decidedAmong([...seats.keys()], () => em.fork())) wakeAll(id);
    },
    { log, signal, what: 'what waiting calls wait for' },
  );
  void (async () => {
    for await (const happening of happenings) {
      if (happening.kind === 'evaluationDecided') wakeAll(happening.evaluationId);
      else if (happening.kind === 'resync') catchUp();
    }
  })();

  return {
    get size() {
      return size;
    },

    get isFull() {
      return size >= seatsMax;
    },

    isHeld: (id) => seats.has(id),

    enter(id) {
      const others = seats.get(id) ?? new Set();
      seats.set(id, others);
      size += 1;
      let missed: Wake | null = null;
      let waiter: ((wake: Wake) => void) | null = null;
      const wake = (reason: Wake) => {
        if (waiter) waiter(reason);
        else missed = reason;
      };
      others.add(wake);

      return {
        wait: ({ milliseconds, signal: callerSignal }) =>
          new Promise((resolve) => {
            if (closing) return resolve('closing');
            if (callerSignal.aborted) return resolve('callerGone');
            if (missed) {
              const reason = missed;
              missed = null;
              return resolve(reason);
            }
            const end = (reason: Wake) => {
              clearTimeout(timer);
              callerSignal.removeEventListener('abort', gone);
              waiter = null;
              resolve(reason);
            };
            const gone = () => end('callerGone');
            const timer = setTimeout(() => end('time'), Math.min(Math.max(milliseconds, 0), timerMillisecondsMax));
            callerSignal.addEventListener('abort', gone);
            waiter = end;
          }),

        leave() {
          if (others.delete(wake)) size -= 1;
          if (others.size > 0) return false;
          if (seats.get(id) === others) seats.delete(id);
          return true;
        },
      };
    },

    close() {
      closing = true;
      for (const others of seats.values()) for (const wake of others) wake('closing');
    },
  };
}
