import type { Dialect } from '../dialect.ts';

export const postgresDialect: Dialect = {
  rowLock: ' for no key update',
  placeholder: (position) => `$${position}`,
  textIn: (column, key) => `(${column} ->> '${key}')`,
  fits: (column) => `${column} like ?`,
  parameterOf: (pattern) => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%'),
  clock: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  numbersTransactions: true,
  isRestored: 'transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint',
  isAfter: '(transaction_id, position) > (?, ?)',
  eventOrder: 'transaction_id, position',
  isSettled: 'transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
  head: 'select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as transaction_id, 0 as position',
};
