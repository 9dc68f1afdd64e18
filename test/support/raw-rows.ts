import type { Orm } from '../../src/entities/backend.ts';

/** Rows as they are stored, in SQLite's terms on either database: JSON as text, times as milliseconds, truths as 0 and 1. */
export async function rawRows<Row>(orm: Orm, sql: string): Promise<Row[]> {
  const rows = await orm.em.getConnection().execute<Record<string, unknown>[]>(sql);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plain(column, value)])) as Row);
}

function plain(column: string, value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'string' && /(_at|At)$/.test(column) ? new Date(value).getTime() : value;
}
