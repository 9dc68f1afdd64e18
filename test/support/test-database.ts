import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { openDatabase } from '../../src/entities/open-database.ts';

/** A database of one test, of the kind that its project is about. */
export interface TestDatabase {
  /** As the configuration takes it. */
  readonly url: string;
  remove(): Promise<void>;
}

/** On SQLite in memory, or in a file where others must get at it as well; on PostgreSQL up to date already. */
export async function createDatabase({ isShared = false } = {}): Promise<TestDatabase> {
  const postgres = inject('postgres');
  if (postgres) return copyOf(postgres.template, postgres.adminUrl);
  if (!isShared) return { url: 'sqlite::memory:', remove: () => Promise.resolve() };
  const directory = await mkdtemp(path.join(tmpdir(), 'countersign-'));
  return { url: `sqlite:${path.join(directory, 'countersign.db')}`, remove: () => rm(directory, { recursive: true }) };
}

let copies = 0;

async function copyOf(template: string, adminUrl: string): Promise<TestDatabase> {
  copies += 1;
  const name = `test_${process.pid}_${copies}`;
  await asAdmin(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  return { url: adminUrl.replace(/\/postgres$/, `/${name}`), remove: () => asAdmin(adminUrl, `drop database ${name} with (force)`) };
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const orm = await openDatabase(url);
  try {
    await orm.em.getConnection().execute(statement);
  } finally {
    await orm.close();
  }
}
