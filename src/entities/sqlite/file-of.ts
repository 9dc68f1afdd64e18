/** The file of `sqlite:<file>`. Null: the database is in memory. */
export function fileOf(database: string): string | null {
  const file = database.slice('sqlite:'.length);
  return file === ':memory:' ? null : file;
}
