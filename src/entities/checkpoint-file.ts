import { appendFile, readFile } from 'node:fs/promises';
import { backendOf } from './backend-of.ts';

/** Where the checkpoints of the audit chain are kept outside the database. Null: nowhere, as the database has no file. */
export async function checkpointFileOf(database: string, configured: string | null): Promise<string | null> {
  const file = (await backendOf(database)).fileOf(database);
  return configured ?? (file === null ? null : `${file}.checkpoints`);
}

/** The line is on the disk when it resolves. */
export async function appendCheckpoint(file: string, line: string): Promise<void> {
  await appendFile(file, `${line}\n`, { mode: 0o600, flush: true });
}

/** Whole lines only: a crash may have left half of one. No such file: none. */
export async function readCheckpoints(file: string): Promise<readonly string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
