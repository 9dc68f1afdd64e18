import type { SqlEntityManager } from '@mikro-orm/sql';
import { LRUCache } from 'lru-cache';
import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { EvaluationId } from '../entities/id.ts';
import type { PolicyEvent } from '../policy/event.ts';
import type { Json } from '../policy/json.ts';
import { createCatchUp } from './catch-up.ts';
import { decidedAmong } from './decided-among.ts';
import type { Events } from './events.ts';
import type { Log } from './log.ts';

/** What a call came with, and what it is to use instead: unmasked, so in memory only. */
export interface Original {
  /** Null: the server has been restarted since, and the caller has not come back. */
  readonly event: PolicyEvent | null;
  /** Null: nothing was rewritten. */
  readonly data: Json;
}

/**
 * The originals of what is stored masked: for a call's answer, for an approver's edit, and to judge again. They are here while the call
 * waits, and ten minutes longer, for an answer may get lost. A restart loses them, and so does another server: whoever asks does without.
 */
export interface Originals {
  find(id: EvaluationId): Original | undefined;
  /** Does nothing for what is stored as it is. */
  keep(evaluation: Pick<Evaluation, 'id' | 'status' | 'digest' | 'dataDigest'>, original: Original): void;
  forget(id: EvaluationId): void;
  /** Drops what is over. */
  purge(): void;
}

const charsMax = 64_000_000;
const waitingMilliseconds = 366 * 86_400_000; // longer than the longest ask
const answeredMilliseconds = 600_000;

interface OriginalsParts {
  readonly em: SqlEntityManager;
  readonly events: Events;
  readonly signal: AbortSignal;
  readonly log: Log;
}

export async function createOriginals({ em, events, signal, log }: OriginalsParts): Promise<Originals> {
  const kept = new LRUCache<EvaluationId, Original>({ maxSize: charsMax, sizeCalculation: (original) => JSON.stringify(original).length, ttl: waitingMilliseconds });
  const happenings = await events.subscribe('inbox', signal);
  const answered = (id: EvaluationId) => {
    const original = kept.get(id);
    if (original && kept.getRemainingTTL(id) > answeredMilliseconds) kept.set(id, original, { ttl: answeredMilliseconds });
  };
  const catchUp = createCatchUp(
    async () => {
      for await (const id of decidedAmong([...kept.keys()], () => em.fork())) answered(id);
    },
    { log, signal, what: 'what is kept for waiting calls' },
  );
  void (async () => {
    for await (const happening of happenings) {
      if (happening.kind === 'evaluationDecided') answered(happening.evaluationId);
      else if (happening.kind === 'resync') catchUp();
    }
  })();
  return {
    find: (id) => kept.get(id),
    keep({ id, status, digest, dataDigest }, original) {
      if (digest === null && dataDigest === null) return;
      kept.set(id, original, { ttl: status === 'AWAITING_APPROVAL' ? waitingMilliseconds : answeredMilliseconds });
    },
    forget: (id) => void kept.delete(id),
    purge: () => void kept.purgeStale(),
  };
}
