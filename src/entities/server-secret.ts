import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { DatabaseFault } from './open-database.ts';

const bytes = 32;

/**
 * What only this server knows. It is never in the database, so that whoever reads that can neither forge nor guess what it protects: `configured`, else what is
 * in `<database>.key`, which the first start makes, readable for its owner alone. Rejects with a `DatabaseFault`.
 */
export async function serverSecret(database: string, configured: string | null): Promise<Uint8Array> {
  if (configured !== null) return Buffer.from(configured);
  const file = keyFileOf(database);
  if (file === null) return randomBytes(bytes);
  if (!existsSync(file)) await makeKey(file);
  return readKey(file);
}

/** As `serverSecret`, for whoever only looks. Null: there is none yet. */
export async function knownServerSecret(database: string, configured: string | null): Promise<Uint8Array | null> {
  if (configured !== null) return Buffer.from(configured);
  const file = keyFileOf(database);
  return file === null ? null : readKey(file).catch((error: unknown) => (isMissing(error) ? null : Promise.reject(error as Error)));
}

function keyFileOf(database: string): string | null {
  const file = database.slice('sqlite:'.length);
  return file === ':memory:' ? null : `${file}.key`;
}

async function readKey(file: string): Promise<Uint8Array> {
  const text = (await readFile(file, 'utf8')).trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new DatabaseFault(`${file} does not hold the key that belongs to the database: restore it, or remove it to have a new one made`);
  return Buffer.from(text, 'hex');
}

/** Linked into place whole, so that nobody ever reads half of it; whoever is first wins. */
async function makeKey(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(bytes).toString('hex'), { flag: 'wx', mode: 0o600 });
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw new DatabaseFault(`${file} cannot be made: make its directory writable, or give a secretKey`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
