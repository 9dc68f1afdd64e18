import { loadConfig, type ConfigSources } from '../config.ts';
import { lookAtDatabase, migrate, migrationStatus, openDatabase } from '../main.ts';

export interface MigrateOptions {
  readonly sources: ConfigSources;
  /** Only say what is applied. */
  readonly status: boolean;
  readonly json: boolean;
}

export async function migrateDatabase({ sources, status, json }: MigrateOptions): Promise<number> {
  const { database } = await loadConfig(sources);
  const { shown, isMissing } = await lookAtDatabase(database);
  const orm = await openDatabase(status && isMissing ? 'sqlite::memory:' : database); // to ask must not create it
  try {
    if (!status) {
      const applied = await migrate(orm);
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
