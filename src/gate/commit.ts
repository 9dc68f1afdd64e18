import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/core';
import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import type { ElicitationId, SessionId } from '../entities/id.ts';
import { insertRows } from '../entities/insert-rows.ts';
import { SessionSchema, type Session } from '../entities/session.entity.ts';
import { thawed } from '../entities/thawed.ts';

/** What one evaluation writes, all of it or nothing. */
export interface Entry {
  readonly evaluation: Evaluation;
  /** The session's row as it must still be, and as it is to become. Null: the evaluation touches nothing of it. */
  readonly session: SessionChange | null;
  /** A new elicitation, a pending one to join, or none. */
  readonly elicitation: { readonly kind: 'new' | 'join'; readonly row: Elicitation } | null;
}

export interface SessionChange {
  readonly id: SessionId;
  readonly expectedVersion: number;
  readonly next: Pick<Session, 'version' | 'labels' | 'state' | 'evaluators'>;
}

/**
 * Group commit: entries that arrive together, or while a commit is under way, share one transaction.
 * `committed` comes after the commit. `conflict`: nothing was written, because the session moved on or ended, the elicitation
 * was settled, or the idempotency key was taken meanwhile; judge again. A database failure rejects; nothing was written.
 */
export interface Commits {
  submit(entry: Entry): Promise<'committed' | 'conflict'>;
}

interface Waiting {
  readonly entry: Entry;
  resolve(result: 'committed' | 'conflict'): void;
  reject(reason: unknown): void;
}

const batchMax = 200;

export function createCommits(openEm: () => EntityManager): Commits {
  let queue: Waiting[] = [];
  let running = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchMax);
      queue = queue.slice(batchMax);
      await commitBatch(batch, openEm);
      await nextTurn();
    }
    running = false;
  }

  return {
    submit: (entry) =>
      new Promise((resolve, reject) => {
        queue.push({ entry, resolve, reject });
        if (running) return;
        running = true;
        void nextTurn().then(drain);
      }),
  };
}

/** Lets the calls that have already arrived reach the queue. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Together if possible; after a conflict one by one, so that each learns its own fate. */
async function commitBatch(batch: readonly Waiting[], openEm: () => EntityManager): Promise<void> {
  const result = await tryToCommit(batch.map(({ entry }) => entry), openEm());
  if (result === 'conflict' && batch.length > 1) {
    for (const waiting of batch) await commitBatch([waiting], openEm);
    return;
  }
  for (const waiting of batch) {
    if (typeof result === 'string') waiting.resolve(result);
    else waiting.reject(result.failure);
  }
}

async function tryToCommit(entries: readonly Entry[], em: EntityManager): Promise<'committed' | 'conflict' | { failure: unknown }> {
  try {
    await em.transactional(async (tx) => {
      for (const change of mergeChanges(entries)) await changeSession(change, tx);
      const created = entries.flatMap(({ elicitation }) => (elicitation?.kind === 'new' ? [elicitation.row] : []));
      if (created.length > 0) await insertRows(tx, ElicitationSchema, created);
      for (const { elicitation } of entries) if (elicitation?.kind === 'join') await joinElicitation(elicitation.row.id, tx);
      await insertRows(tx, EvaluationSchema, entries.map(({ evaluation }) => evaluation));
    });
    return 'committed';
  } catch (failure) {
    if (failure instanceof MovedOn || failure instanceof UniqueConstraintViolationException) return 'conflict';
    return { failure };
  }
}

/** The row is not what the evaluation was judged on. */
class MovedOn extends Error {}

/** The changes of one session, each expecting what the one before left, are one update. */
function mergeChanges(entries: readonly Entry[]): SessionChange[] {
  const merged: SessionChange[] = [];
  const last = new Map<SessionId, number>();
  for (const { session: change } of entries) {
    if (!change) continue;
    const index = last.get(change.id);
    const before = index === undefined ? undefined : merged[index];
    if (index !== undefined && before?.next.version === change.expectedVersion) {
      merged[index] = { ...before, next: change.next };
    } else {
      last.set(change.id, merged.push(change) - 1);
    }
  }
  return merged;
}

async function changeSession({ id, expectedVersion, next }: SessionChange, tx: EntityManager): Promise<void> {
  const changed = await tx.nativeUpdate(SessionSchema, { id, version: expectedVersion, endedAt: null }, thawed(next));
  if (changed === 0) throw new MovedOn();
}

async function joinElicitation(id: ElicitationId, tx: EntityManager): Promise<void> {
  const locked = await tx.nativeUpdate(ElicitationSchema, { id, settledAt: null }, { settledAt: null });
  if (locked === 0) throw new MovedOn();
}
