import type { Explanation } from '../backend.ts';

/** What SQLite's error means for whoever runs the server. */
export function explain(error: unknown): Explanation {
  const { code: given, message = String(error) } = error as { code?: unknown; message?: string };
  const code = typeof given === 'string' ? given : '';
  if (code === 'SQLITE_NOTADB') return ['is not a database', 'give another file with --database sqlite:<file>'];
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return ['is locked by another program', 'stop that one, or give another file with --database'];
  if (code.startsWith('SQLITE_READONLY')) return ['is not writable', 'make the file and its directory writable, or give another file with --database'];
  if (code.startsWith('SQLITE_CANTOPEN')) return ['cannot be opened', 'it must be a file, in a directory in which it can be written'];
  if (code.startsWith('SQLITE_CORRUPT')) return ['is damaged', 'restore a copy, or give another file with --database'];
  if (code.startsWith('SQLITE_FULL')) return ['cannot grow', 'the disk is full'];
  if (message.includes('directory does not exist')) return ['cannot be made', 'its directory does not exist'];
  return ['cannot be used', message.split('\n')[0] ?? message];
}
