import type { SqlEntityManager } from '@mikro-orm/sql';
import { inTransaction } from '../entities/in-transaction.ts';
import { appendAudit, type AuditNote } from './append-audit.ts';
import type { Log } from './gate.ts';

/** Appends what no transaction of a use case does, without keeping anybody waiting. */
export interface AuditRecorder {
  readonly record: (note: AuditNote) => void;
  /** All that was recorded is written. */
  close(): Promise<void>;
}

export function createAuditRecorder({ em, log }: { readonly em: SqlEntityManager; readonly log: Log }): AuditRecorder {
  let running: Promise<void> = Promise.resolve();
  return {
    record(note) {
      running = running
        .then(() => inTransaction(em, (tx) => appendAudit({ em: tx }, [note])))
        .catch((error: unknown) => log.error({ err: error, action: note.action }, 'a refusal could not be appended to the audit log'));
    },
    close: () => running,
  };
}
