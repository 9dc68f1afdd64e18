import { LRUCache } from 'lru-cache';

const statementsMax = 500;

/** SQLite's driver would compile each statement anew at each use, which takes longer than most of ours run. */
export async function keepStatements(connection: SqliteConnection): Promise<void> {
  const database = await connection.getNativeClient();
  const prepare = database.prepare.bind(database);
  const kept = new LRUCache<string, object>({ max: statementsMax });
  database.prepare = (sql) => {
    const known = kept.get(sql);
    if (known) return known;
    const statement = prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
}

/** The little that this needs of MikroORM's connection, whose types name a package that has none. Statements are not read row by row: none is in use when it is used again. */
export interface SqliteConnection {
  getNativeClient(): Promise<{ prepare(sql: string): object }>;
}
