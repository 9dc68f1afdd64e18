import { LRUCache } from 'lru-cache';

const statementsMax = 500;

/** SQLite's driver would compile each statement anew at each use, which takes longer than most of ours run. */
export function keepStatements(database: Preparing): void {
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

/** The little of better-sqlite3's database that this needs. Statements are not read row by row, so none is in use when it is used again. */
interface Preparing {
  prepare(sql: string): object;
}
