import { openDatabase } from '../../src/entities/open-database.ts';
import { createDatabase } from '../support/test-database.ts';
import { rawRows } from '../support/raw-rows.ts';
import { prepareProgram, type Program } from './program.ts';

/** The program, on a database of the kind that the project is about. */
export interface ServerProcess extends Program {
  /** What is stored. Only while it does not run. */
  read<Row>(sql: string): Promise<Row[]>;
  /** Kills it, and removes its database. */
  remove(): Promise<void>;
}

export async function prepareServer(env: Record<string, string> = {}): Promise<ServerProcess> {
  const database = await createDatabase({ isShared: true });
  const program = await prepareProgram(database.url, env);
  return {
    ...program,
    async read<Row>(sql: string) {
      const orm = await openDatabase(database.url);
      try {
        return await rawRows<Row>(orm, sql);
      } finally {
        await orm.close();
      }
    },
    async remove() {
      await program.remove();
      await database.remove();
    },
  };
}
