import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import type { ElicitationId, SessionId } from '../entities/id.ts';
import { insertRows, updateRows, type Statements, type Tables } from '../entities/rows.ts';
import { untilUndisturbed } from '../entities/in-transaction.ts';
import { SessionSchema, type Session } from '../entities/session.entity.ts';
import { StateTypeError } from '../policy/state.ts';
import { appendAudit, type AuditNote } from './append-audit.ts';
import { joinedNote, requestedNote } from './audit-notes.ts';
import type { Instruments } from './instruments.ts';
import { updateTree, type Beyond, type DayApproval } from './beyond.ts';
import { outdated, type JudgedOn } from './confirm.ts';
import { approveDay } from './usage-rows.ts';

/** What one evaluation writes, all of it or nothing. */
export interface Entry {
  readonly judgedOn: JudgedOn;
  readonly evaluation: Evaluation;
  /** The session's row as it must still be, and as it is to become. Null: the evaluation touches nothing of it. */
  readonly session: SessionChange | null;
  /** Null: nothing. */
  readonly beyond: Beyond | null;
  /** A new elicitation, a pending one to join, or none. */
  readonly elicitation: { readonly kind: 'new' | 'join'; readonly row: Elicitation } | null;
}

export interface SessionChange {
  readonly id: SessionId;
  /** From the root to the session. */
  readonly lineage: readonly SessionId[];
  readonly expectedVersion: string;
  readonly next: Pick<Session, 'version' | 'labels' | 'state' | 'evaluators'>;
}

/**
 * Group commit: entries that arrive together, or while a commit is under way, share one transaction.
 * `committed` comes after the commit. `conflict`: nothing was written, because the session moved on or ended, what it is judged by has
 * changed, the elicitation was settled, or the idempotency key was taken meanwhile; judge again. A database failure rejects; nothing was
 * written.
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

export interface CommitsParts {
  readonly openEm: () => SqlEntityManager;
  /** Whether other servers write to the database, too. Then what was judged on is confirmed there; else whoever changed it has dropped the views. */
  readonly isShared: boolean;
  readonly instruments: Pick<Instruments, 'committed'>;
}

export function createCommits(parts: CommitsParts): Commits {
  let queue: Waiting[] = [];
  let running = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchMax);
      queue = queue.slice(batchMax);
      await commitBatch(batch, parts);
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

/** Together if possible. What a conflict concerns is told so, the others are tried again; where it names nobody, one by one. */
async function commitBatch(batch: readonly Waiting[], parts: CommitsParts): Promise<void> {
  if (batch.length === 0) return;
  const since = performance.now();
  const measure = (isDone: boolean) => parts.instruments.committed({ entries: batch.length, seconds: (performance.now() - since) / 1000, isDone });
  try {
    await untilUndisturbed(() => write(batch.map(({ entry }) => entry), parts));
    measure(true);
  } catch (failure) {
    measure(false);
    return handleFailure(batch, failure, parts);
  }
  for (const waiting of batch) waiting.resolve('committed');
}

async function handleFailure(batch: readonly Waiting[], failure: unknown, parts: CommitsParts): Promise<void> {
  if (failure instanceof MovedOn) {
    const concerned = batch.filter(({ entry }) => failure.concerns(entry));
    for (const waiting of concerned) waiting.resolve('conflict');
    return commitBatch(batch.filter((waiting) => !concerned.includes(waiting)), parts);
  }
  if (!(failure instanceof UniqueConstraintViolationException)) {
    for (const waiting of batch) waiting.reject(failure);
  } else if (batch.length === 1) {
    batch[0]?.resolve('conflict');
  } else {
    for (const waiting of batch) await commitBatch([waiting], parts);
  }
}

/** Straight on Kysely: the entity manager's transaction costs more than all that is written here. A lone insert is its own transaction. */
async function write(entries: readonly Entry[], { openEm, isShared }: CommitsParts): Promise<void> {
  const em = openEm();
  const evaluations = entries.map(({ evaluation }) => evaluation);
  if (!isShared && entries.every(({ session, beyond }) => session === null && beyond === null)) return insertRows({ em }, EvaluationSchema, evaluations);
  const created = entries.flatMap(({ elicitation }) => (elicitation?.kind === 'new' ? [elicitation.row] : []));
  const joined = entries.flatMap(({ elicitation }) => (elicitation?.kind === 'join' ? [elicitation.row.id] : []));
  await em.getKysely<Tables>().transaction().execute(async (on) => {
    if (isShared) await confirm(entries, on);
    for (const { run } of sessionSteps(entries)) await run({ em, on });
    if (created.length > 0) await insertRows({ em, on }, ElicitationSchema, created);
    for (const id of joined) await joinElicitation(id, { em, on });
    for (const { owner, ...approval } of dayApprovals(entries)) await approveDay(owner, approval, on);
    await insertRows({ em, on }, EvaluationSchema, evaluations);
    await appendAudit({ em, on }, entries.flatMap(askNotes));
  });
}

async function confirm(entries: readonly Entry[], on: Statements): Promise<void> {
  const changed = await outdated(entries, on);
  if (changed.size > 0) throw new MovedOn((entry) => changed.has(entry));
}

function askNotes({ evaluation, elicitation }: Entry): AuditNote[] {
  if (!elicitation) return [];
  const { kind, row } = elicitation;
  return [kind === 'new' ? requestedNote({ evaluation, elicitation: row }) : joinedNote({ evaluation, elicitation: row })];
}

interface Transaction {
  readonly em: SqlEntityManager;
  readonly on: Statements;
}

interface Step {
  /** Of the row that it takes. */
  readonly path: string;
  readonly run: (transaction: Transaction) => Promise<void>;
}

/** What changes rows of sessions, in the order in which they are locked: by their paths, so the root of a tree comes before what is below it. */
function sessionSteps(entries: readonly Entry[]): Step[] {
  const own = mergeChanges(entries).map((change): Step => ({ path: change.lineage.join('/'), run: (transaction) => changeSession(change, transaction) }));
  const beyond = Map.groupBy(
    entries.flatMap(({ beyond: each }) => (each && each.tree.length > 0 ? [each] : [])),
    ({ lineage }) => lineage[0],
  );
  const trees = [...beyond].flatMap(([root, those]): Step[] => (root === undefined ? [] : [{ path: root, run: ({ on }) => changeTree(root, those, on) }]));
  return [...own, ...trees].sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
}

async function changeTree(root: SessionId, beyond: readonly Beyond[], on: Statements): Promise<void> {
  try {
    await updateTree(root, beyond.flatMap(({ tree }) => tree), on);
  } catch (error) {
    throw error instanceof StateTypeError ? new MovedOn(touching(root)) : error;
  }
}

function dayApprovals(entries: readonly Entry[]): DayApproval[] {
  const approvals = entries.flatMap(({ beyond }) => beyond?.day ?? []);
  return approvals.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ owner, day }: DayApproval): string {
  return JSON.stringify([owner.kind, owner.id, day]);
}

/** What some of the evaluations were judged on has moved on. */
class MovedOn extends Error {
  readonly concerns: (entry: Entry) => boolean;

  constructor(concerns: (entry: Entry) => boolean) {
    super('What an evaluation was judged on has moved on.');
    this.concerns = concerns;
  }
}

/** Those that touch a session, or join an elicitation. */
function touching(id: SessionId | ElicitationId): (entry: Entry) => boolean {
  return ({ session, beyond, elicitation }) => session?.id === id || (beyond?.tree.length ? beyond.lineage[0] : null) === id || elicitation?.row.id === id;
}

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

async function changeSession({ id, expectedVersion, next }: SessionChange, transaction: Transaction): Promise<void> {
  const changed = await updateRows(transaction, SessionSchema, { set: next, where: { id, version: expectedVersion, endedAt: null } });
  if (changed === 0) throw new MovedOn(touching(id));
}

/** Locks the elicitation until the transaction ends: it must still be pending when the evaluation joins it. */
async function joinElicitation(id: ElicitationId, transaction: Transaction): Promise<void> {
  const locked = await updateRows(transaction, ElicitationSchema, { set: { settledAt: null }, where: { id, settledAt: null } });
  if (locked === 0) throw new MovedOn(touching(id));
}
