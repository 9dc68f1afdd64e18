import { loadConfig, type ConfigSources } from '../config.ts';
import { adoptSecretKey, lookAtDatabase, migrate, migrationStatus, openDatabase } from '../main.ts';

export interface MigrateOptions {
  readonly sources: ConfigSources;
  /** Only say what is applied. */
  readonly status: boolean;
  readonly json: boolean;
  /** Afterwards the secret key that is configured is the database's. */
  readonly acceptSecretKey: boolean;
}

export async function migrateDatabase({ sources, status, json, acceptSecretKey }: MigrateOptions): Promise<number> {
  const config = await loadConfig(sources);
  const { database } = config;
  const { shown, isMissing } = await lookAtDatabase(database);
  const orm = await openDatabase(status && isMissing ? 'sqlite::memory:' : database); // to ask must not create it
  try {
    if (!status) {
      const applied = await migrate(orm);
      if (acceptSecretKey) await adoptSecretKey(orm, config);
      print(json ? JSON.stringify({ database: shown, applied }) : applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'up to date');
      return 0;
    }
    const migrations = await migrationStatus(orm);
    const lines = migrations.map(({ name, executedAt }) => `${name}  ${executedAt ? `applied ${executedAt.toISOString()}` : 'not applied'}`);
    print(json ? JSON.stringify({ database: shown, migrations }) : lines.join('\n'));
    return migrations.every(({ executedAt }) => executedAt) ? 0 : 1;
  } finally {
    await orm.close();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
