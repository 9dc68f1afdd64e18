import { appendFile, readFile } from 'node:fs/promises';

/** Where the checkpoints of the audit chain are kept outside the database. Null: of a database in memory, nowhere. */
export function checkpointFileOf(database: string, configured: string | null): string | null {
  const file = database.slice('sqlite:'.length);
  return configured ?? (file === ':memory:' ? null : `${file}.checkpoints`);
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
