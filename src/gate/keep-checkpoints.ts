import type { SqlEntityManager } from '@mikro-orm/sql';
import { AuditHeadSchema } from '../entities/audit-entry.entity.ts';
import type { Signer } from './checkpoint.ts';
import type { Log } from './gate.ts';

export interface CheckpointParts {
  readonly em: SqlEntityManager;
  readonly signer: Signer;
  /** Keeps a line outside the database. */
  readonly append: (line: string) => Promise<void>;
  readonly now: () => Date;
  readonly log: Log;
}

export interface Checkpoints {
  /** Signs how long the audit chain is now, where it has grown. It also happens by itself, every ten seconds. */
  take(): Promise<void>;
  /** Takes the last one. */
  close(): Promise<void>;
}

const everyMilliseconds = 10_000;

export function keepCheckpoints({ em, signer, append, now, log }: CheckpointParts): Checkpoints {
  let taken = 0;
  let running: Promise<void> = Promise.resolve();

  async function takeNext(): Promise<void> {
    const { sequence, hash } = await em.fork().findOneOrFail(AuditHeadSchema, { id: 1 });
    if (sequence === taken) return;
    await append(JSON.stringify(signer.sign({ sequence, hash, at: now().toISOString() })));
    taken = sequence;
  }

  const take = () => (running = running.then(takeNext).catch((error: unknown) => log.error({ err: error }, 'the end of the audit log could not be signed; it is tried again')));
  const timer = setInterval(() => void take(), everyMilliseconds);

  return {
    take,
    async close() {
      clearInterval(timer);
      await take();
    },
  };
}
