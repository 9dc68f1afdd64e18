import type { SqlEntityManager } from '@mikro-orm/sql';
import { AuditEntrySchema, AuditHeadSchema, noHash, type AuditEntry } from '../entities/audit-entry.entity.ts';
import { linkHash } from './audit-hash.ts';
import { readCheckpoint, type Checkpoint, type Signer } from './checkpoint.ts';

export type AuditVerdict =
  /** `entries`, and how many checkpoints agree with them. */
  | { readonly kind: 'intact'; readonly entries: number; readonly hash: string; readonly checkpoints: number }
  /** `sequence`: of the first entry that is not what was written. */
  | { readonly kind: 'broken'; readonly sequence: number; readonly what: string };

export interface Proof {
  /** Lines that were kept outside the database. */
  readonly checkpoints: readonly string[];
  readonly signer: Signer;
}

/**
 * Walks the whole chain. What it finds: an entry that was edited, removed, put in or swapped, and an end that was cut off; with checkpoints also a chain
 * that was deleted or written anew as a whole.
 */
export async function verifyAuditLog(em: SqlEntityManager, { checkpoints: lines, signer }: Proof): Promise<AuditVerdict> {
  const checkpoints: Checkpoint[] = [];
  for (const [index, line] of lines.entries()) {
    const checkpoint = readCheckpoint(line);
    if (!checkpoint) return broken(1, `line ${index + 1} of the checkpoints is none`);
    if (!signer.isGenuine(checkpoint)) return broken(checkpoint.sequence, `the checkpoint in line ${index + 1} was not signed by this server`);
    checkpoints.push(checkpoint);
  }
  const walk = new Walk(checkpoints);
  for (let isFirst = true; ; isFirst = false) {
    const before = walk.sequence;
    for await (const entry of auditEntries(em, isFirst ? undefined : before)) {
      const fault = walk.step(entry);
      if (fault) return fault;
    }
    const head = await em.fork().findOne(AuditHeadSchema, { id: 1 });
    const hasGrown = head !== null && head.sequence > walk.sequence && (isFirst || walk.sequence > before); // while it was read
    if (!hasGrown) return walk.end(head);
  }
}

const batch = 1000;

/** All entries in their order, as they are now: what somebody broke comes as well as it can be read. */
export async function* auditEntries(em: SqlEntityManager, after: number = Number.MIN_SAFE_INTEGER): AsyncGenerator<AuditEntry> {
  for (let last: number | undefined = after; last !== undefined; ) {
    const entries: AuditEntry[] = await em.fork().find(AuditEntrySchema, { sequence: { $gt: last } }, { orderBy: { sequence: 'asc' }, limit: batch });
    yield* entries;
    last = entries.at(-1)?.sequence;
  }
}

class Walk {
  #sequence = 0;
  #hash = noHash;
  #agreed = 0;
  readonly #checkpoints: Map<number, Checkpoint[]>;

  constructor(checkpoints: readonly Checkpoint[]) {
    this.#checkpoints = Map.groupBy(checkpoints, ({ sequence }) => sequence);
  }

  get sequence(): number {
    return this.#sequence;
  }

  step(entry: AuditEntry): AuditVerdict | null {
    const expected = this.#sequence + 1;
    const { sequence } = entry;
    if (sequence < expected) return broken(sequence, `entry ${sequence} was put in`);
    if (sequence > expected) return broken(expected, `entry ${expected} is missing`);
    if (entry.previousHash !== this.#hash) return broken(sequence, `entry ${sequence} does not follow entry ${this.#sequence}`);
    if (hashOf(entry) !== entry.hash) return broken(sequence, `entry ${sequence} is not what was written`);
    this.#sequence = sequence;
    this.#hash = entry.hash;
    return this.#compare(sequence);
  }

  end(head: { sequence: number; hash: string } | null): AuditVerdict {
    const next = this.#sequence + 1;
    const beyond = [...this.#checkpoints.keys()].find((sequence) => sequence > this.#sequence);
    if (beyond !== undefined) return broken(next, `the log ends after entry ${this.#sequence}, and had ${beyond} entries when a checkpoint was signed`);
    if (!head) return broken(next, 'the end of the log is not noted any more');
    if (head.sequence !== this.#sequence || head.hash !== this.#hash) return broken(Math.min(next, head.sequence + 1), `the log ends after entry ${this.#sequence}, and its end is noted at ${head.sequence}`);
    return { kind: 'intact', entries: this.#sequence, hash: this.#hash, checkpoints: this.#agreed };
  }

  #compare(sequence: number): AuditVerdict | null {
    for (const { hash, at } of this.#checkpoints.get(sequence) ?? []) {
      if (hash !== this.#hash) return broken(sequence, `entry ${sequence} is not the one that the checkpoint of ${at} was signed for`);
      this.#agreed += 1;
    }
    return null;
  }
}

/** Null: it has no hash any more. */
function hashOf(entry: AuditEntry): string | null {
  try {
    return linkHash(entry);
  } catch {
    return null;
  }
}

function broken(sequence: number, what: string): AuditVerdict {
  return { kind: 'broken', sequence, what };
}
