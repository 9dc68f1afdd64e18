import type { TestProject } from 'vitest/node';
import { migrate } from '../../../src/entities/migrate.ts';
import { openDatabase } from '../../../src/entities/open-database.ts';
import { startCluster } from './cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the tests of this project have their databases. Missing: on SQLite. */
    readonly postgres?: { readonly adminUrl: string; readonly template: string };
  }
}

const template = 'countersign_template';

/** One PostgreSQL for the whole run, with a database that is up to date and that the others are copied from. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  const admin = await openDatabase(cluster.urlOf('postgres'));
  await admin.em.getConnection().execute(`create database ${template}`);
  await admin.close();
  const orm = await openDatabase(cluster.urlOf(template));
  await migrate(orm);
  await orm.close();
  provide('postgres', { adminUrl: cluster.urlOf('postgres'), template });
  return cluster.remove;
}
