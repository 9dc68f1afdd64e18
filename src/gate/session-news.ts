import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Dialect } from '../entities/dialect.ts';
import type { SessionId } from '../entities/id.ts';
import type { Events } from './events.ts';
import type { Log } from './log.ts';
import type { Place } from './place.ts';
import { adoptRestored, headOf, newsAfter } from './session-event-rows.ts';

/**
 * Tells those who follow sessions, or the inbox of all of them, that there is something to read. One query looks for all of them, and only while there are any: at once
 * when an ask or a decision is heard of, else twice a second, so that it costs the judging of events nothing.
 */
export interface SessionNews {
  /** Resolves when whatever happens from now on is told of; it ends with `signal`. */
  follow(what: SessionId | 'inbox', signal: AbortSignal): Promise<Follower>;
}

export interface Follower {
  /** Resolves when there is something new since the last time, and with the signal. */
  next(): Promise<void>;
}

export interface SessionNewsParts {
  readonly em: SqlEntityManager;
  readonly dialect: Dialect;
  readonly events: Events;
  readonly signal: AbortSignal;
  readonly log: Log;
}

const lookEveryMilliseconds = 500;

export async function openSessionNews({ em, dialect, events, signal, log }: SessionNewsParts): Promise<SessionNews> {
  await adoptRestored({ em: em.fork(), dialect });
  const followers = new Map<SessionId | 'inbox', Set<() => void>>();
  let isLooking = false;
  let ready: Promise<unknown> = Promise.resolve();
  let hurry: () => void = () => undefined;

  /** Resolves when it looks; it goes on until nobody follows. */
  async function begin(): Promise<void> {
    isLooking = true;
    try {
      const place = await headOf({ em: em.fork(), dialect });
      void look(place);
    } catch (error) {
      isLooking = false;
      throw error;
    }
  }

  async function look(start: Place): Promise<void> {
    for (let place = start; followers.size > 0 && !signal.aborted; ) {
      await Promise.race([pause(lookEveryMilliseconds), new Promise<void>((resolve) => (hurry = resolve))]);
      try {
        const head = await headOf({ em: em.fork(), dialect }); // first: what comes in between is told of twice, not never
        const { sessions, isOfInbox } = await newsAfter({ em: em.fork(), dialect }, place);
        for (const what of isOfInbox ? [...sessions, 'inbox' as const] : sessions) for (const tell of followers.get(what) ?? []) tell();
        place = head;
      } catch (error) {
        log.error({ err: error }, 'what happened in sessions could not be looked for; it is tried again');
        await pause(lookEveryMilliseconds);
      }
    }
    isLooking = false;
  }

  const happenings = await events.subscribe('inbox', signal);
  void (async () => {
    for await (const happening of happenings) if (happening.kind !== 'evaluationDecided' || followers.has(happening.sessionId)) hurry();
  })();

  return {
    async follow(what, end) {
      let isNew = false;
      let wake: () => void = () => undefined;
      const tell = () => {
        isNew = true;
        wake();
      };
      const those = followers.get(what) ?? new Set();
      followers.set(what, those.add(tell));
      const leave = () => {
        those.delete(tell);
        if (those.size === 0 && followers.get(what) === those) followers.delete(what);
        wake();
      };
      end.addEventListener('abort', leave, { once: true });
      if (end.aborted) leave();
      if (!isLooking) ready = begin();
      await ready;
      return {
        next: () =>
          new Promise((resolve) => {
            wake = () => {
              isNew = false;
              resolve();
            };
            if (isNew || end.aborted) wake();
          }),
      };
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
