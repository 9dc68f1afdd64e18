import type { Backend } from './backend.ts';

/** The one that a database's URL names. It is loaded here, so that nobody waits for the driver of the other. */
export async function backendOf(database: string): Promise<Backend> {
  return database.startsWith('sqlite:') ? (await import('./sqlite/backend.ts')).sqlite : (await import('./postgres/backend.ts')).postgres;
}
