import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseFault } from '../../src/entities/database-fault.ts';
import { secretKeyOf } from '../../src/entities/secret-key.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = () => path.join(folder, 'a.db.key');
const keyOf = (secretKey: string | null = null) => secretKeyOf({ database: `sqlite:${path.join(folder, 'a.db')}`, secretKey });

describe('the secret key', () => {
  it('is made once, beside the database, for its own user only', async () => {
    const key = await keyOf();
    expect(key).toMatch(/^[\w-]{43}$/);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await keyOf()).toBe(key);
    expect(await readdir(folder)).toEqual(['a.db.key']);
  });

  it('is the same for two that start at once', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => keyOf()));
    expect(new Set(keys).size).toBe(1);
  });

  it('is the configured one, and then no file is made', async () => {
    expect(await keyOf('c'.repeat(32))).toBe('c'.repeat(32));
    expect(await readdir(folder)).toEqual([]);
  });

  it('is another each time where nothing is kept', async () => {
    const memory = () => secretKeyOf({ database: 'sqlite::memory:', secretKey: null });
    expect(await memory()).not.toBe(await memory());
  });

  it('stops the start where others may read it, or where it is none', async () => {
    await keyOf();
    await chmod(file(), 0o644);
    await expect(keyOf()).rejects.toThrow(DatabaseFault);
    await writeFile(file(), 'short');
    await chmod(file(), 0o600);
    await expect(keyOf()).rejects.toThrow(/is not a secret key/);
    expect(await readFile(file(), 'utf8')).toBe('short');
  });
});
