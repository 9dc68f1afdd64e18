import { randomBytes } from 'node:crypto';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { backendOf } from './backend-of.ts';
import type { Backend } from './backend.ts';
import { isShared } from './database-of.ts';
import { DatabaseFault } from './database-fault.ts';

/**
 * The server's secret key: as configured, else from a file beside the database, which the first start makes for its own user only. It is never in the
 * database, so that whoever reads that cannot try values against its digests. Rejects with a `DatabaseFault`, also where several servers
 * share the database and none is configured: each would make another one.
 */
export async function secretKeyOf({ database, secretKey }: { database: string; secretKey: string | null }): Promise<string> {
  const known = await knownSecretKeyOf({ database, secretKey });
  if (known !== null) return known;
  const file = keyFileOf(await backendOf(database), database);
  if (file === null) return newKey();
  await make(file);
  const made = await read(file);
  if (made === null) throw new DatabaseFault(`${file} is gone again: it must stay beside the database`);
  return made;
}

/** As `secretKeyOf`, for whoever only looks. Null: none was made yet. */
export async function knownSecretKeyOf({ database, secretKey }: { database: string; secretKey: string | null }): Promise<string | null> {
  if (secretKey !== null) return secretKey;
  const backend = await backendOf(database);
  if (isShared(database)) throw new DatabaseFault(`${backend.shown(database)} needs a secretKey, the same for all of its servers: make one with \`openssl rand -hex 32\`, and give it as COUNTERSIGN_SECRET_KEY`);
  const file = keyFileOf(backend, database);
  return file === null ? null : read(file);
}

/** Null: the database has no file. */
function keyFileOf({ fileOf }: Pick<Backend, 'fileOf'>, database: string): string | null {
  const file = fileOf(database);
  return file === null ? null : `${file}.key`;
}

const keyPattern = /^[\w-]{32,1024}$/;

async function read(file: string): Promise<string | null> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
    if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) {
      throw new DatabaseFault(`${file} is the server's secret key, and others may read it: chmod 600 it`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error instanceof DatabaseFault ? error : new DatabaseFault(`${file} cannot be read: it is the server's secret key`, { cause: error });
  }
  if (!keyPattern.test(text)) throw new DatabaseFault(`${file} is not a secret key: put the backup of it there, or remove it to get a new one`);
  return text;
}

/** Whole or not at all, and never over one that another process has just made. */
async function make(file: string): Promise<void> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, `${newKey()}\n`, { mode: 0o600, flag: 'wx' });
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw new DatabaseFault(`${file}, the server's secret key, cannot be made beside the database`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}
